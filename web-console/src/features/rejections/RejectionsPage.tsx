import { Button, Group, Select } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useSearchParams } from 'react-router';
import { usePositionRejectionsQuery } from '@/api/calls/positions';
import type { RejectedMessage, Rejection } from '@/api/types';
import { DataTable, type Column } from '@/components/DataTable';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { TimeAgo } from '@/components/TimeAgo';
import { useFormats } from '@/i18n/useFormats';
import { FIX_MARKS } from '@/lib/fixMarks';
import { useListParams } from '@/lib/listParams';
import { useTitle } from '@/lib/useTitle';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { CountsTable } from './CountsTable';
import classes from './RejectionsPage.module.css';
import { useReasonName } from '@/i18n/useReasonName';

const PAGE_SIZE = 50;

/** Counted without a message being kept, so there is nothing to filter. */
const COUNTED_ONLY = new Set<string>(['repeat', 'conflict', ...FIX_MARKS]);

/** Positions that could not be taken in; for platform owners. */
export function RejectionsPage() {
  const { t } = useTranslation('rejections');
  useTitle(t('title'));
  if (!can('platform_owner', useSelector(selectPerson))) {
    return <NoAccess text={t('noAccess')} />;
  }
  return <Rejections />;
}

function Rejections() {
  const { t } = useTranslation('rejections');
  const reasonName = useReasonName();
  const [search, setSearch] = useSearchParams();
  const reason = search.get('reason') ?? '';
  const before = Number(search.get('before')) || undefined;
  const { data, error, isFetching, refetch } = usePositionRejectionsQuery(
    { reason, before, pageSize: PAGE_SIZE },
    { refetchOnMountOrArgChange: true },
  );
  const counts = (data?.counts ?? []) as Rejection[];
  const counted = counts.map((count) => count.reason).filter((each) => !COUNTED_ONLY.has(each));
  const reasons = [...new Set(reason ? [...counted, reason] : counted)].sort();

  const show = (change: { reason?: string; before?: number }) =>
    setSearch((current) => {
      const next = new URLSearchParams(current);
      next.delete('before');
      if (change.reason === '') next.delete('reason');
      else if (change.reason) next.set('reason', change.reason);
      if (change.before) next.set('before', String(change.before));
      return next;
    });

  return (
    <Page>
      <PageHeader
        title={t('title')}
        count={data?.total}
        text={t('intro')}
        action={
          <Button variant="default" onClick={() => void refetch()} disabled={isFetching}>
            {t('refresh')}
          </Button>
        }
      />
      {error && !data ? (
        <ErrorState title={t('loadFailed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <CountsTable counts={counts} loading={!data} />
          <Group justify="space-between" align="end">
            <h2 className={classes.heading}>{t('messages')}</h2>
            <Select
              aria-label={t('filterReason')}
              placeholder={t('allReasons')}
              clearable
              w={280}
              data={reasons.map((value) => ({ value, label: reasonName(value) }))}
              value={reason || null}
              onChange={(value) => show({ reason: value ?? '' })}
            />
          </Group>
          <Messages
            messages={data?.items as RejectedMessage[] | undefined}
            total={data?.total ?? 0}
            stale={isFetching}
            error={error}
            onRetry={() => void refetch()}
            pager={
              <Group justify="flex-end" gap="xs" className={classes.pager}>
                <Button variant="default" disabled={!before} onClick={() => show({})}>
                  {t('newest')}
                </Button>
                <Button
                  variant="default"
                  disabled={!data?.next_cursor}
                  onClick={() => show({ before: data?.next_cursor ?? undefined })}
                >
                  {t('older')}
                </Button>
              </Group>
            }
          />
        </>
      )}
    </Page>
  );
}

interface MessagesProps {
  messages: RejectedMessage[] | undefined;
  total: number;
  stale: boolean;
  error: unknown;
  onRetry: () => void;
  pager: ReactNode;
}

function Messages({ messages, total, pager, ...load }: MessagesProps) {
  const { t } = useTranslation('rejections');
  const columns = useColumns();
  const list = useMemo(() => ({ table: 'rejections', sort: '', columns }), [columns]);
  const [params, setParams] = useListParams(list);
  return (
    <DataTable
      label={t('messages')}
      list={list}
      columns={columns}
      rows={messages}
      // The total counts what is kept, the filter may leave nothing of it.
      total={messages?.length === 0 ? 0 : total}
      rowKey={(message) => String(message.seq)}
      rowName={(message) => message.imei}
      params={params}
      onParams={setParams}
      failure={t('loadFailed')}
      pager={pager}
      empty={<EmptyState title={t('emptyTitle')} text={t('emptyText')} />}
      {...load}
    />
  );
}

function useColumns(): Column<RejectedMessage>[] {
  const { t } = useTranslation('rejections');
  const formats = useFormats();
  const reasonName = useReasonName();
  return [
    {
      key: 'received_at',
      label: t('field.time'),
      fixed: true,
      cell: (message) => <TimeAgo at={message.received_at} />,
    },
    {
      key: 'reason',
      label: t('field.reason'),
      width: 240,
      phone: 'below',
      cell: (row) => [row.reason, ...row.other_reasons].map(reasonName).join(', '),
    },
    { key: 'gateway', label: t('field.gateway'), cell: ({ gateway }) => gateway || '–' },
    {
      key: 'imei',
      label: t('field.imei'),
      width: 170,
      phone: 'beside',
      cell: ({ imei }) => <span className="tabular">{imei || '–'}</span>,
    },
    { key: 'count', label: t('field.count'), align: 'right', cell: ({ count }) => formats.number(count) },
    { key: 'size', label: t('field.size'), align: 'right', cell: ({ size }) => formats.bytes(size) },
  ];
}
