import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '@/api/types';
import { TimeAgo } from '@/components/TimeAgo';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { useLivePosition } from '@/live/useLive';
import { vehicleState } from '@/live/vehicleState';
import classes from './VehicleList.module.css';

const ROW_HEIGHT = 56;

interface VehicleListProps {
  devices: Device[];
  selected: string | null;
  onSelect: (deviceId: string) => void;
}

/** The vehicles by name; only the rows in view exist. This is the keyboard's way to what the map shows. */
export function VehicleList({ devices, selected, onSelect }: VehicleListProps) {
  const { t } = useTranslation('maps');
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: devices.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    getItemKey: (index) => devices[index]?.id ?? index,
  });

  // A vehicle that was chosen on the map is brought into view, once.
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (shown.current === selected) return;
    shown.current = selected;
    const index = devices.findIndex(({ id }) => id === selected);
    if (index >= 0) rows.scrollToIndex(index, { align: 'auto' });
  }, [devices, rows, selected]);

  return (
    <div ref={scroller} className={classes.scroller}>
      <ul aria-label={t('list.label')} className={classes.list} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((item) => {
          const device = devices[item.index];
          if (!device) return null;
          return (
            <li
              key={item.key}
              className={classes.item}
              style={{ transform: `translateY(${item.start}px)` }}
              aria-setsize={devices.length}
              aria-posinset={item.index + 1}
            >
              <VehicleRow
                deviceId={device.id}
                name={device.name}
                selected={device.id === selected}
                onSelect={onSelect}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface VehicleRowProps {
  deviceId: string;
  name: string;
  selected: boolean;
  onSelect: (deviceId: string) => void;
}

const VehicleRow = memo(function VehicleRow({ deviceId, name, selected, onSelect }: VehicleRowProps) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const position = useLivePosition(deviceId);
  const state = vehicleState(position, useNow());
  return (
    <button
      type="button"
      className={classes.row}
      aria-current={selected || undefined}
      data-device-id={deviceId}
      data-state={state}
      onClick={() => onSelect(deviceId)}
    >
      <VehicleStateMark state={state} />
      <span className={classes.text}>
        <span className={classes.name}>{name}</span>
        <span className={classes.detail}>
          {t(`state.${state}`)}
          {position && state === 'moving' && ` · ${t('speed', { speed: formats.number(position.speed) })}`}
        </span>
      </span>
      {position && (
        <span className={classes.age}>
          <TimeAgo at={position.recordedAt} />
        </span>
      )}
    </button>
  );
});
