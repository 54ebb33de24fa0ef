import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Address } from '@/components/address/Address';
import { TimeAgo } from '@/components/TimeAgo';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { freshness } from '@/live/freshness';
import { useLiveDevice } from '@/live/useLive';
import { vehicleState } from '@/live/vehicleState';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './DevicePage.module.css';

/** What a vehicle does and since when, how fast, and where. */
export function LiveNow({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation(['devicePage', 'devices']);
  const formats = useFormats();
  const now = useNow();
  const position = useLiveDevice(deviceId)?.position;
  const mayWatch = can('position:live', useSelector(selectPerson));
  if (!mayWatch) return <Text c="dimmed">{t('live.forbidden')}</Text>;
  if (!position) return <Text c="dimmed">{t('live.none')}</Text>;
  // An alarm that stands has its own place, so what the vehicle does is said.
  const state = vehicleState(position, now);
  const fresh = freshness(position, now);
  const since = fresh === 'fresh' ? position.motionSince : position.recordedAt;
  return (
    <>
      <p className={classes.state}>
        <VehicleStateMark state={state} />
        <span>
          {t(`devices:live.${state}`)}
          {since !== null && `, ${formats.duration((now - since) / 1_000)}`}
        </span>
      </p>
      {fresh === 'fresh' && state === 'moving' && (
        <p className={classes.speed}>{formats.speed(Math.round(position.speed))}</p>
      )}
      <Address key={deviceId} lat={position.lat} lng={position.lng} moving={state === 'moving'} lines={2} />
      <Text size="sm" c="dimmed">
        <TimeAgo at={position.recordedAt} /> · {formats.dateTime(position.recordedAt)}
      </Text>
    </>
  );
}
