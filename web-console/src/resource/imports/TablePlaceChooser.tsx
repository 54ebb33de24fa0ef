import { Group, Select } from '@mantine/core';
import { useFormats } from '@/i18n/useFormats';
import { useResourceTexts } from '../texts';
import type { ImportPreview } from './importCalls';
import type { StepProps } from './ImportDrawer';

interface TablePlaceChooserProps extends Pick<StepProps, 'of' | 'importing'> {
  preview: ImportPreview;
}

/** On which sheet the table is, where there are several, and which row has its headings. */
export function TablePlaceChooser({ of, importing, preview }: TablePlaceChooserProps) {
  const { t } = useResourceTexts(of);
  const formats = useFormats();
  const { sheets = [], sheet, heading_row: headingRow, top_rows: rows = [] } = preview;
  const options = rows.map(({ row, cells }) => ({
    value: String(row),
    label: t('import.headingRowOption', { row: formats.number(row), cells: cells.join(' · ') }),
  }));
  return (
    <Group grow align="end">
      {sheets.length > 1 && (
        <Select
          label={t('import.sheet')}
          data={[...new Set(sheets)]}
          value={sheet}
          allowDeselect={false}
          disabled={importing.busy}
          onChange={(name) => void importing.setPlace({ sheet: name ?? undefined })}
        />
      )}
      {options.length > 1 && (
        <Select
          label={t('import.headingRow')}
          data={options}
          value={String(headingRow)}
          allowDeselect={false}
          disabled={importing.busy}
          onChange={(row) => void importing.setPlace({ sheet: sheet || undefined, headingRow: Number(row) })}
        />
      )}
    </Group>
  );
}
