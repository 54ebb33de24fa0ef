import { Pagination, Table } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListGatewayConnectionsQuery } from '@/api/calls/gateways';
import type { Gateway, GatewayConnection } from '@/api/generated';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import table from '@/components/PlainTable.module.css';
import { TimeAgo } from '@/components/TimeAgo';
import { useFormats } from '@/i18n/useFormats';
import { usePolling } from '@/lib/usePolling';
import classes from './Gateways.module.css';
import { Loading } from './Loading';

const PAGE_SIZE = 10;
const POLL_SECONDS = 5;

/** The connections that a gateway has now. */
export function ConnectionsPart({ row: { id } }: { row: Gateway }) {
  const { t } = useTranslation('gateways');
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useListGatewayConnectionsQuery(
    { id, page, pageSize: PAGE_SIZE },
    { refetchOnMountOrArgChange: true, pollingInterval: usePolling(POLL_SECONDS) },
  );
  if (!data && error)
    return <ErrorState title={t('connections.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  if (data.total === 0) return <EmptyState title={t('connections.emptyTitle')} text={t('connections.emptyText')} />;
  const pages = Math.ceil(data.total / PAGE_SIZE);
  return (
    <>
      <div className={table.frame} tabIndex={0} role="region" aria-label={t('tab.connections')}>
        <Table className={`${table.table} ${classes.connections}`} aria-label={t('tab.connections')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('connections.address')}</Table.Th>
              <Table.Th>{t('connections.program')}</Table.Th>
              <Table.Th>{t('connections.client')}</Table.Th>
              <Table.Th>{t('connections.since')}</Table.Th>
              <Table.Th>{t('connections.active')}</Table.Th>
              <Table.Th ta="right">{t('connections.messages')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.items.map((each) => (
              <Connection key={`${each.server} ${each.id}`} connection={each} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {/* Connections that have ended may have taken the last page with them. */}
      {(pages > 1 || page > 1) && (
        <Pagination total={Math.max(pages, page)} value={page} onChange={setPage} size="sm" />
      )}
    </>
  );
}

function Connection({ connection: each }: { connection: GatewayConnection }) {
  const formats = useFormats();
  return (
    <Table.Tr>
      <Table.Td className="tabular">{each.address}</Table.Td>
      <Table.Td>{each.program || '–'}</Table.Td>
      <Table.Td>{each.client || '–'}</Table.Td>
      <Table.Td>
        <TimeAgo at={each.connected_at} />
      </Table.Td>
      <Table.Td>{each.last_activity_at ? <TimeAgo at={each.last_activity_at} /> : '–'}</Table.Td>
      <Table.Td ta="right" className="tabular" title={formats.bytes(each.bytes)}>
        {formats.number(each.messages)}
      </Table.Td>
    </Table.Tr>
  );
}
