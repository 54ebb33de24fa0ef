import { Skeleton, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Rejection } from '@/api/types';
import { useFormats } from '@/i18n/useFormats';
import table from '@/components/PlainTable.module.css';
import { byReasonAndDay } from './counts';
import classes from './RejectionsPage.module.css';
import { useReasonName } from '@/i18n/useReasonName';

/** How many positions were refused for which reason on which day. */
export function CountsTable({ counts, loading }: { counts: Rejection[]; loading: boolean }) {
  const { t } = useTranslation('rejections');
  const formats = useFormats();
  const reasonName = useReasonName();
  if (loading) return <Skeleton height={120} />;
  const { days, rows } = byReasonAndDay(counts);
  if (rows.length === 0) return null;
  return (
    <div className={table.frame} tabIndex={0} role="region" aria-label={t('counts')}>
      <Table borderColor="var(--armada-border)" className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('field.reason')}</Table.Th>
            {days.map((day) => (
              <Table.Th key={day} data-align="right">
                {formats.date(day)}
              </Table.Th>
            ))}
            <Table.Th data-align="right">{t('field.total')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.reason}>
              <Table.Td>{reasonName(row.reason)}</Table.Td>
              {row.perDay.map((count, index) => (
                <Table.Td key={days[index]} data-align="right">
                  {count === 0 ? '–' : formats.number(count)}
                </Table.Td>
              ))}
              <Table.Td data-align="right">{formats.number(row.total)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
