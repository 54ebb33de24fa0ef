import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useDeviceMessagesQuery } from '@/api/calls/positions';
import type { DeviceMessage } from '@/api/generated';
import type { Device } from '@/api/types';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { usePolling } from '@/lib/usePolling';
import { DeviceMessageItem } from './DeviceMessageItem';
import classes from './Messages.module.css';
import { MessagesToolbar } from './MessagesToolbar';
import { useMessagesAddress } from './useMessagesAddress';

const PAGE_SIZE = 50;
const POLL_SECONDS = 5;

/** What a device sent, the newest first: fixes with every field, and what was refused as it was received. */
export function DeviceMessages({ row: { id } }: { row: Device }) {
  const { t } = useTranslation('devicePage');
  const address = useMessagesAddress();
  const { outcome, marks, from, to, cursor, set } = address;
  // The newest come by themselves; older ones stay as they are.
  const poll = usePolling(cursor ? 0 : POLL_SECONDS);
  const query = useDeviceMessagesQuery(
    { id, outcome, mark: marks, from, to, cursor, pageSize: PAGE_SIZE },
    { refetchOnMountOrArgChange: true, pollingInterval: poll },
  );
  const { currentData: data, error } = query;
  return (
    <>
      <Text size="sm" c="dimmed" maw={720}>
        {t('messages.intro')}
      </Text>
      <MessagesToolbar {...address} />
      {!data && error ? (
        <ErrorState title={t('messages.failed')} error={error} onRetry={() => void query.refetch()} />
      ) : !data ? (
        <Stack gap="xs" aria-busy="true">
          <Skeleton height={44} />
          <Skeleton height={44} />
          <Skeleton height={44} />
        </Stack>
      ) : data.items.length === 0 ? (
        <EmptyState title={t('messages.emptyTitle')} text={t('messages.emptyText')} />
      ) : (
        <ul className={classes.list} aria-label={t('messages.title')}>
          {withKeys(data.items).map(({ key, message }) => (
            <DeviceMessageItem key={key} message={message} />
          ))}
        </ul>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" disabled={!cursor} onClick={() => set({ cursor: undefined })}>
          {t('messages.newest')}
        </Button>
        <Button variant="default" disabled={!data?.next_cursor} onClick={() => set({ cursor: data?.next_cursor })}>
          {t('messages.older')}
        </Button>
      </Group>
    </>
  );
}

/** What tells messages apart stays the same when newer ones come, so that an open one stays open. */
function withKeys(messages: DeviceMessage[]): { key: string; message: DeviceMessage }[] {
  const times = new Map<string, number>();
  // The oldest of an instant is counted first: newer ones come before it.
  return messages
    .toReversed()
    .map((message) => {
      const known = `${message.outcome} ${message.at}`;
      const time = (times.get(known) ?? 0) + 1;
      times.set(known, time);
      return { key: `${known} ${time}`, message };
    })
    .toReversed();
}
