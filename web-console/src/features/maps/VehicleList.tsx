import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { live, type LiveList } from '@/live/live';
import { GroupRow } from './GroupRow';
import { useListKeys } from './useListKeys';
import type { Choose } from './useChoice';
import classes from './VehicleList.module.css';
import { VehicleRow } from './VehicleRow';

const ROW_HEIGHT = 56;
const OVERSCAN = 8;

interface VehicleListProps {
  list: LiveList;
  onRange: (first: number, count: number) => void;
  chosen: readonly string[];
  /** The vehicle that the map stays with; null when it is none, or several. */
  followed: string | null;
  onChoose: Choose;
  onFollow: (deviceId: string) => void;
  /** Opens a group, or closes it. */
  onTurn: (groupId: string) => void;
}

/**
 * The vehicles, and the groups where the list stands by these; only the rows in view exist. This is the keyboard's way to what
 * the map shows: one of the rows is in the order of Tab, arrows lead to the others.
 */
export function VehicleList(props: VehicleListProps) {
  const { list, onRange, chosen, followed, onChoose, onFollow } = props;
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
  const before = useRef<readonly string[]>([]);
  useEffect(() => {
    const newest = chosen.at(-1);
    const isKnown = newest === undefined || before.current.includes(newest);
    before.current = chosen;
    if (isKnown) return;
    void live.indexOf(newest).then((index) => {
      if (index >= 0) rows.scrollToIndex(index, { align: 'auto' });
    });
  }, [rows, chosen]);

  const onKeyDown = useListKeys({ count: list.total, scroller, scrollTo: (index) => rows.scrollToIndex(index) });
  const [visited, setVisited] = useState(-1);
  const present = items.some(({ index }) => index === visited) ? visited : first;

  return (
    <div
      ref={scroller}
      role="presentation"
      className={classes.scroller}
      data-choosing={chosen.length > 0 || undefined}
      onKeyDown={onKeyDown}
    >
      <ul aria-label={t('list.label')} className={classes.list} style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const head = list.heads?.get(index);
          const device = list.devices[index - list.first];
          const tabIndex = index === present ? 0 : -1;
          return (
            <li
              // By groups a vehicle may stand in several places.
              key={list.heads ? index : (device?.id ?? index)}
              className={classes.item}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={list.total}
              data-index={index}
              aria-posinset={index + 1}
              onFocus={() => setVisited(index)}
            >
              {head && <GroupRow head={head} tabIndex={tabIndex} onTurn={props.onTurn} />}
              {device && (
                <VehicleRow
                  key={device.id}
                  device={device}
                  chosen={chosen.includes(device.id)}
                  several={chosen.length > 1}
                  followed={device.id === followed}
                  tabIndex={tabIndex}
                  onChoose={onChoose}
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
