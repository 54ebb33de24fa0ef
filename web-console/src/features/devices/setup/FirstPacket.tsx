import { Alert, Button, Loader, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DeviceMessage } from '@/api/generated';
import type { Device } from '@/api/types';
import { CopyButton } from '@/components/CopyButton';
import { Fact, Facts } from '@/components/Facts';
import { StatusBadge } from '@/components/StatusBadge';
import { TimeAgo } from '@/components/TimeAgo';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { DeviceMessageItem } from '../DeviceMessageItem';
import { CheckList } from './CheckList';
import type { NewestFix } from './newestFix';
import classes from './Setup.module.css';
import { StepTitle } from './StepTitle';

/** After so long without anything there is something to look after. */
const LONG_MS = 3 * 60_000;

interface FirstPacketProps {
  device: Device;
  fix: NewestFix | null;
  refused: DeviceMessage[];
  /** Since when somebody waits. */
  since: number;
  onNext: () => void;
}

/** Waits for the first fix of a device, and shows what came, or why nothing does. */
export function FirstPacket({ device, fix, refused, since, onNext }: FirstPacketProps) {
  const { t } = useTranslation('setup');
  const isLate = useNow() - since >= LONG_MS;
  return (
    <section className={classes.part} aria-label={t('step.packet')}>
      <StepTitle>{t('heading.packet')}</StepTitle>
      <ImeiStatus device={device} />
      <div role="status">{fix ? <Arrived fix={fix} /> : device.imei_status === 'bound' && <Waiting />}</div>
      {refused.length > 0 && <Refused messages={refused} />}
      {!fix && device.imei_status === 'bound' && isLate && <CheckList device={device} isRefused={refused.length > 0} />}
      <div className={classes.acts}>
        <Text size="sm" c="dimmed">
          {t('packet.leave')}
        </Text>
        <Button variant={fix ? 'filled' : 'default'} onClick={onNext}>
          {fix ? t('packet.next') : t('packet.skip')}
        </Button>
      </div>
    </section>
  );
}

/** Whose tracker it is, where that is not settled. */
function ImeiStatus({ device: { imei_status: status, imei_reason: reason } }: { device: Device }) {
  const { t } = useTranslation('setup');
  if (status === 'pending')
    return (
      <Alert color="yellow" variant="outline" title={t('packet.pending')} role="status">
        {t('packet.pendingText')}
      </Alert>
    );
  if (status === 'rejected')
    return (
      <Alert color="red" variant="outline" title={t('packet.rejected')} role="alert">
        {t('packet.rejectedText', { reason })}
      </Alert>
    );
  return null;
}

function Waiting() {
  const { t } = useTranslation('setup');
  return (
    <div className={`${classes.card} ${classes.waiting}`}>
      <Loader size={24} aria-hidden="true" />
      <div>
        <h3 className={classes.cardTitle}>{t('packet.waiting')}</h3>
        <Text size="sm" c="dimmed">
          {t('packet.waitingText')}
        </Text>
      </div>
    </div>
  );
}

/** What the newest fix says. */
function Arrived({ fix }: { fix: NewestFix }) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const place = `${fix.lat.toFixed(6)}, ${fix.lng.toFixed(6)}`;
  return (
    <div className={classes.card}>
      <div className={classes.head}>
        <h3 className={classes.cardTitle}>{t('packet.arrived')}</h3>
        <StatusBadge tone="positive">{t('packet.heard')}</StatusBadge>
      </div>
      <Facts>
        <Fact label={t('fix.time')}>
          {formats.dateTime(fix.recordedAt)} · <TimeAgo at={fix.recordedAt} />
        </Fact>
        <Fact label={t('fix.place')}>
          <span className={classes.head}>
            <span className="tabular">{place}</span>
            <CopyButton text={place} label={t('fix.copy')} />
          </span>
        </Fact>
        <Fact label={t('fix.satellites')}>{fix.satellites !== null && formats.number(fix.satellites)}</Fact>
        <Fact label={t('fix.speed')}>{fix.speed !== null && formats.speed(fix.speed)}</Fact>
      </Facts>
      {fix.valid === false && (
        <Alert color="yellow" variant="outline">
          {t('fix.invalid')}
        </Alert>
      )}
    </div>
  );
}

function Refused({ messages }: { messages: DeviceMessage[] }) {
  const { t } = useTranslation('setup');
  return (
    <section aria-label={t('refused.title')} className={classes.part}>
      <h3 className={classes.cardTitle}>{t('refused.title')}</h3>
      <Text size="sm" c="dimmed">
        {t('refused.text')}
      </Text>
      <ul className={classes.messages} aria-label={t('refused.title')}>
        {messages.map((message, place) => (
          <DeviceMessageItem key={`${message.at} ${place}`} message={message} />
        ))}
      </ul>
    </section>
  );
}
