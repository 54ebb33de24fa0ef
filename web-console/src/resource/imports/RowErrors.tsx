import { Pagination, Text } from '@mantine/core';
import { useState } from 'react';
import { useFormats } from '@/i18n/useFormats';
import type { ResourceKey } from '../registry';
import { useResourceTexts } from '../texts';
import { FailureTable } from './FailureTable';
import type { ImportField, ImportReport } from './importCalls';

const PAGE_SIZE = 25;

interface RowErrorsProps {
  of: ResourceKey;
  report: ImportReport;
  fields?: ImportField[];
  /** The names of the fields in the order of the file's columns. */
  columns?: readonly string[];
}

/** What is wrong with each row of a file, page by page. */
export function RowErrors({ of, report, fields, columns }: RowErrorsProps) {
  const { t } = useResourceTexts(of);
  const formats = useFormats();
  const [page, setPage] = useState(1);
  const { errors, failed } = report;
  const pages = Math.ceil(errors.length / PAGE_SIZE);
  const shown = errors.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  return (
    <>
      <FailureTable
        of={of}
        failures={shown.map((error) => ({ ...error, id: String(error.row) }))}
        fields={fields}
        columns={columns}
      />
      {pages > 1 && <Pagination total={pages} value={page} onChange={setPage} />}
      {failed > errors.length && (
        <Text size="sm" c="dimmed">
          {t('import.more', { shown: formats.number(errors.length), total: formats.number(failed) })}
        </Text>
      )}
    </>
  );
}
