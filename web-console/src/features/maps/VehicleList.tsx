import { ActionIcon } from '@mantine/core';
import { IconCurrentLocation, IconCurrentLocationFilled } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { TimeAgo } from '@/components/TimeAgo';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useAlarmName } from '@/i18n/useAlarmName';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { freshness } from '@/live/freshness';
import { live, type LiveList } from '@/live/live';
import type { LiveDevice } from '@/live/liveDevice';
import { useListKeys } from './useListKeys';
import classes from './VehicleList.module.css';

const ROW_HEIGHT = 56;
const OVERSCAN = 8;

interface VehicleListProps {
  list: LiveList;
  onRange: (first: number, count: number) => void;
  selected: string | null;
  following: boolean;
  onSelect: (deviceId: string) => void;
  onFollow: (deviceId: string) => void;
}

/** The vehicles; only the rows in view exist. This is the keyboard's way to what the map shows. */
export function VehicleList({ list, onRange, selected, following, onSelect, onFollow }: VehicleListProps) {
  const { t } = useTranslation('maps');
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: list.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const items = rows.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const count = items.length;
  useEffect(() => {
    if (count > 0) onRange(first, count);
  }, [first, count, onRange]);

  // A vehicle that was chosen on the map is brought into view, once.
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (shown.current === selected) return;
    shown.current = selected;
    if (!selected) return;
    void live.indexOf(selected).then((index) => {
      if (index >= 0) rows.scrollToIndex(index, { align: 'auto' });
    });
  }, [rows, selected]);

  const onKeyDown = useListKeys({ count: list.total, scroller, scrollTo: (index) => rows.scrollToIndex(index) });

  return (
    <div ref={scroller} role="presentation" className={classes.scroller} onKeyDown={onKeyDown}>
      <ul aria-label={t('list.label')} className={classes.list} style={{ height: rows.getTotalSize() }}>
        {items.map((item) => {
          const device = list.devices[item.index - list.first];
          return (
            <li
              key={device?.id ?? item.index}
              className={classes.item}
              style={{ transform: `translateY(${item.start}px)` }}
              aria-setsize={list.total}
              data-index={item.index}
              aria-posinset={item.index + 1}
            >
              {device && (
                <VehicleRow
                  device={device}
                  selected={device.id === selected}
                  followed={following && device.id === selected}
                  onSelect={onSelect}
                  onFollow={onFollow}
                />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface VehicleRowProps {
  device: LiveDevice;
  selected: boolean;
  followed: boolean;
  onSelect: (deviceId: string) => void;
  onFollow: (deviceId: string) => void;
}

const VehicleRow = memo(function VehicleRow({ device, selected, followed, onSelect, onFollow }: VehicleRowProps) {
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
  return (
    <div className={classes.line} data-selected={selected || undefined}>
      <button
        type="button"
        className={classes.row}
        aria-current={selected || undefined}
        data-device-id={id}
        data-state={state}
        onClick={() => onSelect(id)}
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
