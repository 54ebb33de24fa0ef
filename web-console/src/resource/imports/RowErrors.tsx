import { Pagination, Text } from '@mantine/core';
import { useState } from 'react';
import { useFormats } from '@/i18n/useFormats';
import type { ResourceKey } from '../registry';
import { useResourceTexts } from '../texts';
import table from '@/components/PlainTable.module.css';
import classes from './Import.module.css';
import type { ImportField, ImportReport, ImportRowError } from './importCalls';

const PAGE_SIZE = 25;

interface RowErrorsProps {
  of: ResourceKey;
  report: ImportReport;
  fields: ImportField[];
}

/** What is wrong with each row, cell by cell. */
export function RowErrors({ of, report, fields }: RowErrorsProps) {
  const { t } = useResourceTexts(of);
  const formats = useFormats();
  const [page, setPage] = useState(1);
  const { errors, failed } = report;
  const pages = Math.ceil(errors.length / PAGE_SIZE);
  const shown = errors.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  return (
    <>
      <table className={`${table.table} ${classes.errors}`}>
        <thead>
          <tr>
            <th scope="col">{t('import.row')}</th>
            <th scope="col">{t('field.name')}</th>
            <th scope="col">{t('import.wrong')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((error) => (
            <tr key={error.row}>
              <td className="tabular">{formats.number(error.row)}</td>
              <td>{error.name || '–'}</td>
              <td>
                <Wrong of={of} error={error} fields={fields} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {pages > 1 && <Pagination total={pages} value={page} onChange={setPage} />}
      {failed > errors.length && (
        <Text size="sm" c="dimmed">
          {t('import.more', { shown: formats.number(errors.length), total: formats.number(failed) })}
        </Text>
      )}
    </>
  );
}

interface WrongProps {
  of: ResourceKey;
  error: ImportRowError;
  fields: ImportField[];
}

function Wrong({ of, error, fields }: WrongProps) {
  const { t } = useResourceTexts(of);
  const cells = Object.entries(error.fields ?? {});
  if (cells.length === 0) return error.message;
  return cells.map(([name, text]) => {
    const { label = name, choices = [] } = fields.find((field) => field.name === name) ?? {};
    return (
      <div key={name}>
        <strong>{label}:</strong> {text} {choices.length > 0 && t('import.choices', { choices: choices.join(', ') })}
      </div>
    );
  });
}
