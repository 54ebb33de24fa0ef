import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import type { ListParams } from '@/lib/listParams';
import { usePaper, type PaperLoader } from '@/lib/usePaper';
import { useTitle } from '@/lib/useTitle';
import type { Column } from './DataTable';
import type { Filter } from './filters';
import { PrintTable, type PrintColumn } from './PrintTable';

/** What a list on paper is made of. */
export interface Paper<T> {
  rows: T[];
  /** What the things are called that the filters name, by id. */
  names: ReadonlyMap<string, string>;
}

interface ListPaperProps<T> {
  title: string;
  failure: string;
  params: ListParams;
  columns: Column<T>[];
  filters: Filter[];
  /** What of a row is plain text, by column. */
  texts: Partial<Record<string, (row: T) => string>>;
  /** Stays the same. */
  load: PaperLoader<Paper<T>>;
  /** Whose rows these are, where no filter says it. */
  whose?: (names: ReadonlyMap<string, string>) => string;
}

/** The rows of a list's address on paper. */
export function ListPaper<T extends { id: string }>({
  title,
  failure,
  params,
  columns,
  filters,
  texts,
  load,
  whose,
}: ListPaperProps<T>) {
  const { t } = useTranslation(['common', 'lists']);
  useTitle(title);
  const formats = useFormats();
  const { data: paper, progress, error, reload, at } = usePaper(load);
  const shown = params.columns.flatMap((key): PrintColumn<T>[] => {
    const column = columns.find((each) => each.key === key);
    const text = texts[key];
    return column && text ? [{ key, label: column.label, unit: column.unit, align: column.align, text }] : [];
  });
  const word = (filter: Filter, value: string) =>
    filter.kind === 'choice' ? filter.options.find((option) => option.value === value)?.label : paper?.names.get(value);
  const facts = [
    { label: t('lists:print.tenant'), value: (paper && whose?.(paper.names)) ?? '' },
    { label: t('lists:print.asOf'), value: formats.dateTime(at) },
    { label: t('lists:print.rows'), value: formats.number(paper?.rows.length ?? 0) },
    { label: t('lists:print.search'), value: params.q },
    ...filters.map((filter) => ({
      label: filter.label,
      value: (params.filters[filter.name] ?? []).map((value) => word(filter, value) ?? value).join(', '),
    })),
  ].filter(({ value }) => value !== '');
  return (
    <PrintTable
      title={title}
      facts={facts}
      columns={shown}
      rows={paper?.rows}
      progress={progress}
      error={error}
      failure={failure}
      onRetry={reload}
    />
  );
}
