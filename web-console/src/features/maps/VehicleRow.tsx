import { ActionIcon } from '@mantine/core';
import { IconCurrentLocation, IconCurrentLocationFilled } from '@tabler/icons-react';
import { memo, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { TimeAgo } from '@/components/TimeAgo';
import { useFlash } from '@/components/useFlash';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useAlarmName } from '@/i18n/useAlarmName';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { freshness } from '@/live/freshness';
import type { LiveDevice } from '@/live/liveDevice';
import { choosingBy } from './choosing';
import type { Choose } from './useChoice';
import classes from './VehicleList.module.css';

/** A younger fix is as good as of now. */
const AGE_FROM_MS = 2 * 60_000;

interface VehicleRowProps {
  device: LiveDevice;
  chosen: boolean;
  /** Whether others are chosen with it. */
  several: boolean;
  followed: boolean;
  tabIndex: number;
  onChoose: Choose;
  onFollow: (deviceId: string) => void;
}

/** A vehicle in the list. A click or Enter chooses it alone, with Ctrl or by its box beside others, with Shift all up to it. */
export const VehicleRow = memo(function VehicleRow(props: VehicleRowProps) {
  const { device, chosen, several, followed, tabIndex, onChoose, onFollow } = props;
  const { t } = useTranslation('maps');
  const { id, name, vehicleCode, driver, state, position } = device;
  const now = useNow();
  const line = useFlash<HTMLDivElement>(state);
  const FollowIcon = followed ? IconCurrentLocationFilled : IconCurrentLocation;
  const onSpace = (event: KeyboardEvent) => {
    if (event.key !== ' ') return;
    // A button would be pressed by it: some browsers do that when the key is let go.
    event.preventDefault();
    if (event.type === 'keydown' && !event.repeat) onChoose(id, event.shiftKey ? 'range' : 'toggle');
  };
  return (
    <div ref={line} className={classes.line} data-selected={chosen || undefined}>
      <input
        type="checkbox"
        className={classes.check}
        checked={chosen}
        tabIndex={-1}
        aria-label={t('chosen.choose', { name })}
        onChange={() => onChoose(id, 'toggle')}
      />
      <button
        type="button"
        className={classes.row}
        tabIndex={tabIndex}
        aria-current={(chosen && !several) || undefined}
        aria-pressed={several ? chosen : undefined}
        data-device-id={id}
        data-state={state}
        onKeyDown={onSpace}
        onKeyUp={onSpace}
        onClick={(event) => onChoose(id, choosingBy(event))}
      >
        <span className={classes.mark}>
          <VehicleStateMark state={state} />
        </span>
        <span className={classes.text}>
          <span className={classes.pair}>
            <span className={classes.name}>{name}</span>
            <span className="visually-hidden">{t(`state.${state}`)}</span>
            <Now device={device} />
          </span>
          <span className={classes.pair}>
            {/* The plate is what is read out on the telephone: all of it is there. */}
            {vehicleCode !== '' && vehicleCode !== name && <span className={classes.code}>{vehicleCode}</span>}
            <span className={classes.detail}>{driver}</span>
            {position && now - position.recordedAt > AGE_FROM_MS && (
              <span className={classes.age}>
                <TimeAgo at={position.recordedAt} />
              </span>
            )}
          </span>
        </span>
      </button>
      {position && (
        <ActionIcon
          className={classes.follow}
          tabIndex={-1}
          data-followed={followed || undefined}
          aria-label={followed ? t('follow.endNamed', { name }) : t('follow.startNamed', { name })}
          aria-pressed={followed}
          onClick={() => onFollow(id)}
        >
          <FollowIcon size={18} aria-hidden="true" />
        </ActionIcon>
      )}
    </div>
  );
});

/** What matters most of it: the alarms that stand, or how fast it is. */
function Now({ device: { alarms = [], position } }: { device: LiveDevice }) {
  const formats = useFormats();
  const alarmName = useAlarmName();
  const now = useNow();
  if (alarms.length > 0)
    return <span className={classes.alarm}>{alarms.map(({ kind }) => alarmName(kind)).join(', ')}</span>;
  if (position?.motion !== 'moving' || freshness(position, now) !== 'fresh') return null;
  return <span className={classes.speed}>{formats.speed(Math.round(position.speed))}</span>;
}
