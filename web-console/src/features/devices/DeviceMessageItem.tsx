import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceMessage, MessageRefusal } from '@/api/generated';
import { CopyButton } from '@/components/CopyButton';
import { Fact, Facts } from '@/components/Facts';
import { FixFacts } from '@/components/FixFacts';
import { StatusBadge } from '@/components/StatusBadge';
import { useAlarmName } from '@/i18n/useAlarmName';
import { useFormats } from '@/i18n/useFormats';
import { writePlace } from '@/lib/coordinates';
import { givenMark } from '@/lib/fixMarks';
import { useReasonName } from '@/i18n/useReasonName';
import classes from './Messages.module.css';

/** One message: a line that opens to everything that it said. */
export function DeviceMessageItem({ message }: { message: DeviceMessage }) {
  const { t } = useTranslation('devicePage');
  const formats = useFormats();
  const reasonName = useReasonName();
  const [isOpen, setOpen] = useState(false);
  const { at, fix, refusal } = message;
  const mark = givenMark(fix?.mark);
  return (
    <li className={classes.message} data-outcome={message.outcome}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className={classes.line}>
          <span className={classes.time}>{formats.dateTime(at)}</span>
          {mark ? (
            <StatusBadge tone="warning">{t(`mark.${mark}`)}</StatusBadge>
          ) : (
            <StatusBadge tone={refusal ? 'negative' : 'positive'}>
              {t(refusal ? 'messages.refused' : 'messages.accepted')}
            </StatusBadge>
          )}
          <span className={classes.gist}>
            {refusal ? (
              [reasonName(refusal.reason), refusal.field].filter(Boolean).join(': ')
            ) : (
              <Gist message={message} />
            )}
          </span>
        </summary>
        {isOpen && (
          <div className={classes.content}>
            <div className={classes.facts}>
              {refusal && <RefusalFacts refusal={refusal} at={at} />}
              {fix && <FixFacts fix={fix} />}
            </div>
            {refusal && !fix && <Body refusal={refusal} />}
            <CopyButton text={JSON.stringify(message, null, 2)} label={t('messages.copyJson')} />
          </div>
        )}
      </details>
    </li>
  );
}

/** What most look for. */
function Gist({ message: { fix } }: { message: DeviceMessage }) {
  const formats = useFormats();
  const alarmName = useAlarmName();
  if (!fix) return null;
  const speed = fix.speed === undefined ? null : formats.speed(fix.speed);
  return [speed, writePlace([fix.lat, fix.lng]), fix.alarm && alarmName(fix.alarm)].filter(Boolean).join(' · ');
}

function RefusalFacts({ refusal, at }: { refusal: MessageRefusal; at: string }) {
  const { t } = useTranslation('devicePage');
  const formats = useFormats();
  const reasonName = useReasonName();
  return (
    <Facts>
      <Fact label={t('field.reason')}>{reasonName(refusal.reason)}</Fact>
      {refusal.field && (
        <Fact label={t('field.wrong')}>
          <code>{refusal.field}</code>
        </Fact>
      )}
      <Fact label={t('field.received_at')}>{formats.dateTime(at)}</Fact>
      <Fact label={t('field.gateway')}>{refusal.gateway}</Fact>
      <Fact label={t('field.count')}>{formats.number(refusal.count)}</Fact>
    </Facts>
  );
}

/** The message as it was received, as far as it is kept and may be told. */
function Body({ refusal: { body, size, is_text: isText, is_cut: isCut } }: { refusal: MessageRefusal }) {
  const { t } = useTranslation('devicePage');
  const formats = useFormats();
  const note = (text: string) => (
    <Text size="xs" c="dimmed">
      {text}
    </Text>
  );
  if (body === undefined) return note(t('messages.notTold'));
  return (
    <div>
      <Text size="sm" c="dimmed">
        {t('messages.body', { size: formats.bytes(size) })}
      </Text>
      <pre className={classes.body}>{body}</pre>
      {!isText && note(t('messages.hexadecimal'))}
      {isCut && note(t('messages.cut'))}
    </div>
  );
}
