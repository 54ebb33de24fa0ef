import { Button, Code, Group, Text } from '@mantine/core';
import { IconFilter, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListGatewayMessagesQuery } from '@/api/calls/gateways';
import type { Gateway, GatewayMessage } from '@/api/generated';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { StatusBadge } from '@/components/StatusBadge';
import { useFormats } from '@/i18n/useFormats';
import { useReasonName } from '@/i18n/useReasonName';
import { usePolling } from '@/lib/usePolling';
import { Loading } from './Loading';
import { MessageItem } from './MessageItem';
import classes from './Messages.module.css';

const POLL_SECONDS = 2;

/** What a gateway sent last and what became of it, for whoever connects one: it moves on by itself. */
export function MessagesPart({ row: gateway }: { row: Gateway }) {
  const { t } = useTranslation('gateways');
  const [isPaused, setPaused] = useState(false);
  const [onlyProblems, setOnlyProblems] = useState(false);
  const [openedAt] = useState(() => Date.now());
  const { data, error, fulfilledTimeStamp, refetch } = useListGatewayMessagesQuery(
    { name: gateway.name },
    { refetchOnMountOrArgChange: true, pollingInterval: usePolling(isPaused ? 0 : POLL_SECONDS) },
  );
  if (!data && error) return <ErrorState title={t('messages.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  const all = withKeys(withUnknown(data.items));
  const shown = onlyProblems ? all.filter(({ message }) => hasProblem(message)) : all;
  return (
    <>
      <Refused gateway={gateway} />
      <Group justify="space-between" gap="xs">
        <span className={classes.live} role="status" data-paused={isPaused || undefined}>
          {/* Another one with each answer, so that it beats with them. */}
          <span key={fulfilledTimeStamp} className={classes.beat} aria-hidden="true" />
          {isPaused ? t('messages.paused') : t('messages.live')}
        </span>
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant={onlyProblems ? 'light' : 'default'}
            aria-pressed={onlyProblems}
            leftSection={<IconFilter size={16} aria-hidden="true" />}
            onClick={() => setOnlyProblems(!onlyProblems)}
          >
            {t('messages.onlyProblems')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={
              isPaused ? (
                <IconPlayerPlay size={16} aria-hidden="true" />
              ) : (
                <IconPlayerPause size={16} aria-hidden="true" />
              )
            }
            onClick={() => setPaused(!isPaused)}
          >
            {isPaused ? t('messages.resume') : t('messages.pause')}
          </Button>
        </Group>
      </Group>
      {all.length === 0 ? (
        <Nothing gateway={gateway} />
      ) : shown.length === 0 ? (
        <Text c="dimmed">{t('messages.noProblems')}</Text>
      ) : (
        <ul className={classes.list} aria-label={t('tab.messages')}>
          {shown.map(({ key, message, unknown }) => (
            <MessageItem
              key={key}
              message={message}
              isNew={Date.parse(message.received_at) > openedAt}
              unknown={unknown}
              tenantId={gateway.tenant_id}
            />
          ))}
        </ul>
      )}
    </>
  );
}

/** Not everything in it was taken in as it was sent, or its tracker has to be put right. */
const hasProblem = (message: GatewayMessage) =>
  message.held > 0 ||
  message.rejected_count > 0 ||
  message.left_out.length > 0 ||
  message.second_places > 0 ||
  message.clock_ahead_seconds > 0 ||
  message.clock_behind_seconds > 0;

/** With the IMEIs that nobody has, as far as is known: whoever is taken in by a newer message has been registered. */
function withUnknown(messages: GatewayMessage[]): { message: GatewayMessage; unknown: string[] }[] {
  const registered = new Set<string>();
  return messages.map((message) => {
    if (message.accepted > 0 && message.unknown_imeis.length === 0) registered.add(message.device);
    return { message, unknown: message.unknown_imeis.filter((imei) => !registered.has(imei)) };
  });
}

/** Messages have no number: what tells them apart stays the same when newer ones come, so that an open one stays open. */
function withKeys<T extends { message: GatewayMessage }>(messages: T[]): (T & { key: string })[] {
  const times = new Map<string, number>();
  return messages.map((each) => {
    const known = `${each.message.received_at} ${each.message.device} ${each.message.size}`;
    const time = (times.get(known) ?? 0) + 1;
    times.set(known, time);
    return { ...each, key: `${known} ${time}` };
  });
}

/** Why positions were refused since yesterday, also those whose messages are gone. */
function Refused({ gateway: { rejections } }: { gateway: Gateway }) {
  const { t } = useTranslation('gateways');
  const formats = useFormats();
  const reasonName = useReasonName();
  if (rejections.length === 0) return null;
  return (
    <div className={classes.refused}>
      <Text size="sm" fw={500}>
        {t('messages.refusedSince')}
      </Text>
      <ul className={classes.outcomes}>
        {rejections.map(({ reason, count }) => (
          <li key={reason}>
            <StatusBadge tone="warning">{`${reasonName(reason)}: ${formats.number(count)}`}</StatusBadge>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Nothing yet: how to send the first one. */
function Nothing({ gateway: { name, is_anonymous: anonymous } }: { gateway: Gateway }) {
  const { t } = useTranslation('gateways');
  const [now] = useState(() => new Date().toISOString().replace(/\.\d+/, ''));
  const inbox = anonymous ? '' : ` --inbox-prefix=_INBOX_${name}`;
  return (
    <EmptyState
      title={t('messages.emptyTitle')}
      text={t('messages.emptyText')}
      action={
        <Code block className={classes.command}>
          {`nats req gps.${name}.<imei> '{"recorded_at":"${now}","lat":-6.2,"lng":106.8}'${inbox}`}
        </Code>
      }
    />
  );
}
