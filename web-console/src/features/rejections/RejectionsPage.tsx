import { Button, Group, Select, Skeleton, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useSearchParams } from 'react-router';
import { usePositionRejectionsQuery } from '@/api/api';
import type { RejectedMessage, Rejection } from '@/api/types';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { TimeAgo } from '@/components/TimeAgo';
import { useFormats } from '@/i18n/useFormats';
import { useTitle } from '@/lib/useTitle';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { CountsTable } from './CountsTable';
import classes from './RejectionsPage.module.css';
import { COUNTED_ONLY, useReasonName } from './useReasonName';

const PAGE_SIZE = 50;

/** Positions that could not be taken in; for platform owners. */
export function RejectionsPage() {
  const { t } = useTranslation('rejections');
  useTitle(t('title'));
  if (!can('see_rejections', useSelector(selectPerson))) {
    return (
      <Page>
        <EmptyState wholePage title={t('noAccess')} />
      </Page>
    );
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
        action={
          <Button variant="default" onClick={() => void refetch()} disabled={isFetching}>
            {t('refresh')}
          </Button>
        }
      />
      <Text c="dimmed">{t('intro')}</Text>
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
          <Messages messages={data?.items as RejectedMessage[] | undefined} />
          <Group justify="flex-end" gap="xs">
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
        </>
      )}
    </Page>
  );
}

function Messages({ messages }: { messages: RejectedMessage[] | undefined }) {
  const { t } = useTranslation('rejections');
  const formats = useFormats();
  const reasonName = useReasonName();
  if (!messages) return <Skeleton height={160} />;
  if (messages.length === 0) {
    return (
      <div className={classes.frame}>
        <EmptyState title={t('emptyTitle')} text={t('emptyText')} />
      </div>
    );
  }
  return (
    <div className={classes.frame} tabIndex={0} role="region" aria-label={t('messages')}>
      <Table borderColor="var(--armada-border)" className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('field.time')}</Table.Th>
            <Table.Th>{t('field.reason')}</Table.Th>
            <Table.Th>{t('field.gateway')}</Table.Th>
            <Table.Th>{t('field.imei')}</Table.Th>
            <Table.Th data-align="right">{t('field.count')}</Table.Th>
            <Table.Th data-align="right">{t('field.size')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {messages.map((message) => (
            <Table.Tr key={message.seq}>
              <Table.Td>{message.received_at && <TimeAgo at={message.received_at} />}</Table.Td>
              <Table.Td>{reasonName(message.reason)}</Table.Td>
              <Table.Td>{message.gateway || '–'}</Table.Td>
              <Table.Td>{message.imei || '–'}</Table.Td>
              <Table.Td data-align="right">{formats.number(message.count)}</Table.Td>
              <Table.Td data-align="right">{formats.bytes(message.size)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
