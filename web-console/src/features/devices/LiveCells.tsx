import { useTranslation } from 'react-i18next';
import { TimeAgo } from '@/components/TimeAgo';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { freshness } from '@/live/freshness';
import type { LiveDevice } from '@/live/liveDevice';
import { useLiveDevice, useLivePosition } from '@/live/useLive';
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

/** How fast a vehicle is; nothing is said of one that has been silent for long. */
export function LiveSpeed({ deviceId }: { deviceId: string }) {
  const formats = useFormats();
  const position = useLivePosition(deviceId);
  const now = useNow();
  return position && freshness(position, now) !== 'offline' ? formats.number(position.speed) : '–';
}
