import { ActionIcon } from '@mantine/core';
import { IconCurrentLocation, IconCurrentLocationFilled } from '@tabler/icons-react';
import { memo, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { TimeAgo } from '@/components/TimeAgo';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useAlarmName } from '@/i18n/useAlarmName';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { freshness } from '@/live/freshness';
import type { LiveDevice } from '@/live/liveDevice';
import { choosingBy } from './choosing';
import type { Choose } from './useChoice';
import classes from './VehicleList.module.css';

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
  const formats = useFormats();
  const alarmName = useAlarmName();
  const { id, name, vehicleCode, driver, state, position } = device;
  const now = useNow();
  const facts = [t(`state.${state}`)];
  facts.push(...(position?.alarms ?? []).map(({ kind }) => alarmName(kind)));
  const isFresh = position !== null && freshness(position, now) === 'fresh';
  if (isFresh && position.motion === 'moving') facts.push(formats.speed(Math.round(position.speed)));
  const about = [vehicleCode === name ? '' : vehicleCode, driver].filter((text) => text !== '');
  const FollowIcon = followed ? IconCurrentLocationFilled : IconCurrentLocation;
  const onSpace = (event: KeyboardEvent) => {
    if (event.key !== ' ') return;
    // A button would be pressed by it: some browsers do that when the key is let go.
    event.preventDefault();
    if (event.type === 'keydown' && !event.repeat) onChoose(id, event.shiftKey ? 'range' : 'toggle');
  };
  return (
    <div className={classes.line} data-selected={chosen || undefined}>
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
        <VehicleStateMark state={state} />
        <span className={classes.text}>
          <span className={classes.name}>{name}</span>
          <span className={classes.detail}>{[facts.join(' · '), ...about].join(' · ')}</span>
        </span>
        {position && (
          <span className={classes.age}>
            <TimeAgo at={position.recordedAt} />
          </span>
        )}
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
