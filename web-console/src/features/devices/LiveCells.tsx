import { useTranslation } from 'react-i18next';
import type { Device } from '@/api/types';
import { Address } from '@/components/address/Address';
import { StatusBadge } from '@/components/StatusBadge';
import { TimeAgo } from '@/components/TimeAgo';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { freshness } from '@/live/freshness';
import type { LiveDevice } from '@/live/liveDevice';
import { activityToday } from '@/live/today';
import { useLiveDevice, useLivePosition } from '@/live/useLive';
import { ImeiMarks, isImeiMarked } from './ImeiCell';
import classes from './LiveCells.module.css';

const UNHEARD: Pick<LiveDevice, 'state' | 'position'> = { state: 'no_data', position: null };

/** What a vehicle does now, and how old that is. */
export function LiveState({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('devices');
  const device = useLiveDevice(deviceId);
  const { state, position } = device ?? UNHEARD;
  return (
    <span className={classes.state} data-state={state}>
      <VehicleStateMark state={state} />
      {t(`live.${state}`)}
      {position && (
        <span className={classes.age}>
          <TimeAgo at={position.recordedAt} />
        </span>
      )}
    </span>
  );
}

/** The same in a list, where it says why there is nothing to say: the device is inactive, or its IMEI is in question. */
export function StateCell({ row }: { row: Device }) {
  const { t } = useTranslation('devices');
  const isSilent = useLivePosition(row.id) === undefined;
  if (row.status === 'inactive') return <StatusBadge tone="neutral">{t('status.inactive')}</StatusBadge>;
  return isSilent && isImeiMarked(row) ? <ImeiMarks row={row} /> : <LiveState deviceId={row.id} />;
}

/** Where a vehicle is, in words. */
export function LivePlace({ deviceId }: { deviceId: string }) {
  const { state, position } = useLiveDevice(deviceId) ?? UNHEARD;
  return position ? <Address lat={position.lat} lng={position.lng} moving={state === 'moving'} /> : '–';
}

/** How fast a vehicle is; nothing is said of one that has been silent for long. */
export function LiveSpeed({ deviceId }: { deviceId: string }) {
  const formats = useFormats();
  const position = useLivePosition(deviceId);
  const now = useNow();
  return position && freshness(position, now) !== 'offline' ? formats.number(position.speed) : '–';
}

/** How many kilometres a vehicle has driven since midnight. */
export function LiveToday({ deviceId }: { deviceId: string }) {
  const formats = useFormats();
  const position = useLivePosition(deviceId);
  const now = useNow();
  const today = position && activityToday(position, now);
  return today ? formats.number(today.distance / 1_000, 1) : '–';
}
