import { useCallback } from 'react';
import { useSelector } from 'react-redux';
import { useAddress } from '@/lib/address';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';

const WALL = 'wall';

/** Whether the map is shown to a room, from a wall, as its address says, alarms beside it; and what begins and ends that. */
export function useWall() {
  const { search, change } = useAddress();
  const enter = useCallback(
    () =>
      change((next) => {
        next.set(WALL, '1');
        // Nobody sees to one vehicle there.
        next.delete('device_id');
      }, 'push'),
    [change],
  );
  const leave = useCallback(() => change((next) => next.delete(WALL)), [change]);
  const alarms = can('alarm:list', useSelector(selectPerson));
  return { wall: search.get(WALL) === '1', alarms, enter, leave };
}
