import { Alert, Select, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useFormats } from '@/i18n/useFormats';
import { useResourceTexts } from '../texts';
import { fieldLabel } from './fieldLabel';
import classes from './Import.module.css';
import type { ImportPreview } from './importCalls';
import { BackButton, StepFrame, type StepProps } from './ImportDrawer';
import { TablePlaceChooser } from './TablePlaceChooser';

type Labels = ReadonlyMap<string, string>;

/** What something new needs and no column is. Who only changes what there is needs none of it. */
function missingIn(preview: ImportPreview, columns: string[], labels: Labels): string[] {
  if (columns.includes('id')) return [];
  const missing = preview.fields.filter((field) => field.is_required && !columns.includes(field.name));
  return missing.map(({ name }) => labels.get(name) ?? name);
}

/** The second step: where the table is, and what each column is. */
export function ColumnsStep({ of, importing }: StepProps) {
  const texts = useResourceTexts(of);
  const { t } = texts;
  const formats = useFormats();
  const { preview, columns, file } = importing;
  const labels = useMemo(
    () => new Map((preview?.fields ?? []).map((field) => [field.name, fieldLabel(texts, field)])),
    [preview, texts],
  );
  if (!preview) return null;
  const missing = missingIn(preview, columns, labels);
  const isNothing = columns.every((name) => name === '');
  return (
    <StepFrame
      importing={importing}
      title={t('import.heading.columns')}
      back={<BackButton onClick={() => importing.goTo('file')} />}
      next={{
        label: t('import.check'),
        disabled: missing.length > 0 || isNothing,
        onClick: () => void importing.run('dry_run'),
      }}
    >
      <Text size="sm" c="dimmed" className={classes.about}>
        {t('import.about', { file: file?.name, count: preview.rows, formatted: formats.number(preview.rows) })}
      </Text>
      <TablePlaceChooser of={of} importing={importing} preview={preview} />
      <div role="status" className={classes.status}>
        {missing.length > 0 && (
          <Alert color="yellow" variant="outline">
            {t('import.missing', { names: missing.join(', ') })}
          </Alert>
        )}
        {isNothing && missing.length === 0 && (
          <Alert color="yellow" variant="outline">
            {t('import.nothing')}
          </Alert>
        )}
      </div>
      <PassedOver of={of} importing={importing} preview={preview} />
      <Columns of={of} importing={importing} preview={preview} labels={labels} />
    </StepFrame>
  );
}

interface ColumnsProps extends Pick<StepProps, 'of' | 'importing'> {
  preview: ImportPreview;
}

/** Which columns a person has to choose the meaning of, and which are passed over. */
function PassedOver({ of, importing, preview }: ColumnsProps) {
  const { t } = useResourceTexts(of);
  const { columns } = importing;
  const unused = preview.columns.filter(({ heading }, place) => heading && columns[place] === '');
  const named = (some: typeof unused) => some.map(({ heading }) => heading).join(', ');
  const doubtful = unused.filter(({ candidates = [] }) => candidates.length > 0);
  const others = unused.filter(({ candidates = [] }) => candidates.length === 0);
  return (
    <>
      {doubtful.length > 0 && (
        <Alert color="yellow" variant="outline">
          {t('import.doubtful', { names: named(doubtful) })}
        </Alert>
      )}
      {others.length > 0 && (
        <Text size="sm" className={classes.about}>
          {t('import.leftColumns', { names: named(others) })}
        </Text>
      )}
    </>
  );
}

/** What each column is, to be chosen. */
function Columns({ of, importing, preview, labels }: ColumnsProps & { labels: Labels }) {
  const { t } = useResourceTexts(of);
  const formats = useFormats();
  const { columns } = importing;
  const choices = useMemo(
    () =>
      preview.fields.map(({ name, is_required }) => {
        const label = labels.get(name) ?? name;
        return { value: name, label: is_required ? `${label} *` : label };
      }),
    [preview, labels],
  );
  const placeholder = ({ candidates = [], is_running_number }: (typeof preview.columns)[number]) => {
    if (is_running_number) return t('import.runningNumber');
    const names = candidates.map((name) => labels.get(name) ?? name);
    return names.length > 0 ? t('import.mayBe', { names: names.join(' / ') }) : t('import.passedOver');
  };
  return (
    <ul className={classes.columns}>
      {preview.columns.map((column, place) => {
        const { heading, samples } = column;
        const name = heading || t('import.noHeading', { place: formats.number(place + 1) });
        return (
          // Columns have no other name than their place.
          <li key={place} className={classes.column} data-unused={columns[place] === '' || undefined}>
            <div>
              <strong data-cut>{name}</strong>
              <Text size="sm" c="dimmed" data-cut className={classes.samples}>
                {samples.join(' · ') || t('import.noSamples')}
              </Text>
            </div>
            <Select
              aria-label={t('import.meaning', { heading: name })}
              placeholder={placeholder(column)}
              data={choices}
              value={columns[place] || null}
              onChange={(field) => importing.setColumn(place, field ?? '')}
              clearable
              searchable
            />
          </li>
        );
      })}
    </ul>
  );
}
