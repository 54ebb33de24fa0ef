import { Alert, Select, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useFormats } from '@/i18n/useFormats';
import { useResourceTexts } from '../texts';
import classes from './Import.module.css';
import type { ImportPreview } from './importCalls';
import { BackButton, StepFrame, type StepProps } from './ImportDrawer';

/** What something new needs and no column is. Who only changes what there is needs none of it. */
function missingIn(preview: ImportPreview, columns: string[]): string[] {
  if (columns.includes('id')) return [];
  return preview.fields.filter((field) => field.is_required && !columns.includes(field.name)).map(({ label }) => label);
}

/** The second step: what each column is. */
export function ColumnsStep({ of, importing }: StepProps) {
  const { t } = useResourceTexts(of);
  const formats = useFormats();
  const { preview, columns, file } = importing;
  const choices = useMemo(
    () =>
      (preview?.fields ?? []).map(({ name, label, is_required }) => ({
        value: name,
        label: is_required ? `${label} *` : label,
      })),
    [preview],
  );
  if (!preview) return null;
  const missing = missingIn(preview, columns);
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
      <ul className={classes.columns}>
        {preview.columns.map(({ heading, samples }, place) => {
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
                placeholder={t('import.passedOver')}
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
    </StepFrame>
  );
}
