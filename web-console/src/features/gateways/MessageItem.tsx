import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { GatewayMessage } from '@/api/generated';
import { StatusBadge } from '@/components/StatusBadge';
import { TimeAgo } from '@/components/TimeAgo';
import { useClockOff } from '@/i18n/useClockOff';
import { useFormats } from '@/i18n/useFormats';
import { useReasonName } from '@/i18n/useReasonName';
import { newWith, useStackedDrawers } from '@/lib/drawerParam';
import { mayDo } from '@/resource/registry';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Messages.module.css';

interface MessageItemProps {
  message: GatewayMessage;
  /** It came while somebody watched. */
  isNew: boolean;
  /** IMEIs in it that nobody has. */
  unknown: string[];
  /** Whose trackers they are, where the gateway speaks for one tenant. */
  tenantId: string | undefined;
}

/** One message of a gateway and what it was told. */
export function MessageItem({ message, isNew, unknown, tenantId }: MessageItemProps) {
  const { t } = useTranslation('gateways');
  const formats = useFormats();
  const { device, body } = message;
  return (
    <li className={classes.message} data-new={isNew || undefined}>
      <div className={classes.head}>
        <span className={classes.device}>{device === 'frame' ? t('messages.frame') : device}</span>
        <Text size="sm" c="dimmed" component="span">
          {formats.time(message.received_at)} · <TimeAgo at={message.received_at} />
        </Text>
      </div>
      <Outcomes message={message} />
      {unknown.length > 0 && <Registrations imeis={unknown} tenantId={tenantId} />}
      {body && (
        <details className={classes.details}>
          <summary>{t('messages.body', { size: formats.bytes(message.size) })}</summary>
          <pre className={classes.body}>{body}</pre>
          {!message.is_text && <Note text={t('messages.hexadecimal')} />}
          {message.is_cut && <Note text={t('messages.cut')} />}
        </details>
      )}
      {!message.was_answered && <Note text={t('messages.notAnswered')} />}
    </li>
  );
}

const Note = ({ text }: { text: string }) => (
  <Text size="xs" c="dimmed">
    {text}
  </Text>
);

/** What became of it. */
function Outcomes({ message }: { message: GatewayMessage }) {
  const { t } = useTranslation('gateways');
  const formats = useFormats();
  const { accepted, held, rejected, rejected_count: refused, left_out: leftOut } = message;
  const leftOutCount = leftOut.reduce((sum, values) => sum + values.count, 0);
  const count = (of: number) => ({ formatted: formats.number(of) });
  return (
    <ul className={classes.outcomes}>
      {accepted > 0 && (
        <li>
          <StatusBadge tone="positive">{t('messages.accepted', count(accepted))}</StatusBadge>
        </li>
      )}
      {held > 0 && (
        <li>
          <StatusBadge tone="warning">{t('messages.held', count(held))}</StatusBadge>
        </li>
      )}
      {refused > 0 && (
        <li className={classes.reasons}>
          <StatusBadge tone="negative">{t('messages.refused', count(refused))}</StatusBadge>
          <Reasons wrong={rejected} />
        </li>
      )}
      <Clocks message={message} />
      {message.second_places > 0 && (
        <li>
          <StatusBadge tone="warning">{t('messages.secondPlaces', count(message.second_places))}</StatusBadge>
        </li>
      )}
      {leftOutCount > 0 && (
        <li className={classes.reasons}>
          <StatusBadge tone="warning">{t('messages.leftOut', count(leftOutCount))}</StatusBadge>
          <Reasons wrong={leftOut} />
        </li>
      )}
      {accepted + held + refused === 0 && (
        <li>
          <StatusBadge tone="neutral">{t('messages.nothing')}</StatusBadge>
        </li>
      )}
    </ul>
  );
}

/** By how much the clocks of its trackers are wrong. */
function Clocks({ message }: { message: GatewayMessage }) {
  const { t } = useTranslation('gateways');
  const formats = useFormats();
  const off = useClockOff();
  const { clock_ahead_seconds: ahead, clock_behind_seconds: behind, clock_corrected: corrected } = message;
  return (
    <>
      {ahead > 0 && (
        <li>
          <StatusBadge tone="warning">{t('messages.clockFast', { off: off(ahead) })}</StatusBadge>
        </li>
      )}
      {behind > 0 && (
        <li>
          <StatusBadge tone="warning">{t('messages.clockSlow', { off: off(behind) })}</StatusBadge>
        </li>
      )}
      {corrected > 0 && (
        <li>
          <StatusBadge tone="warning">
            {t('messages.clockCorrected', { formatted: formats.number(corrected) })}
          </StatusBadge>
        </li>
      )}
    </>
  );
}

interface Wrong {
  reason: string;
  field?: string;
  count?: number;
}

/** Why positions were refused or values left out, each reason once with its field and how often. */
function Reasons({ wrong }: { wrong: Wrong[] }) {
  const formats = useFormats();
  const reasonName = useReasonName();
  const counts = new Map<string, { reason: string; field: string; count: number }>();
  for (const { reason, field = '', count = 1 } of wrong) {
    const key = `${reason} ${field}`;
    counts.set(key, { reason, field, count: (counts.get(key)?.count ?? 0) + count });
  }
  return [...counts].map(([key, { reason, field, count }]) => (
    <Text key={key} size="sm" component="span">
      {reasonName(reason)}
      {field && (
        <>
          {' '}
          <code className={classes.field}>{field}</code>
        </>
      )}
      {count > 1 && ` × ${formats.number(count)}`}
    </Text>
  ));
}

/** Leads from trackers that nobody has to devices that have them, for those who may make some. */
function Registrations({ imeis, tenantId }: { imeis: string[]; tenantId: string | undefined }) {
  const { t } = useTranslation('gateways');
  const { open } = useStackedDrawers();
  const person = useSelector(selectPerson);
  if (!mayDo('devices', 'create', person)) return null;
  // Of their own tenant everybody else's new devices are anyway.
  const tenantFilter: Record<string, string> = tenantId && can('platform_owner', person) ? { tenant_id: tenantId } : {};
  return (
    <div className={classes.registrations}>
      {imeis.map((imei) => (
        <Button
          key={imei}
          size="compact-sm"
          variant="light"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => open('devices', newWith({ imei, ...tenantFilter }))}
        >
          {t('messages.register', { imei })}
        </Button>
      ))}
    </div>
  );
}
