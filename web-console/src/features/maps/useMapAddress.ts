import { useMemo } from 'react';
import { useAddress } from '@/lib/address';
import type { ListSort } from '@/live/protocol';
import { VEHICLE_STATES, type VehicleState } from '@/live/vehicleState';

const SORTS: readonly ListSort[] = ['name', 'state', 'recent'];

/** What of the map stands in its address, so that a link shows the same and a reload loses nothing. */
interface MapAddress {
  /** The selected vehicle. */
  device_id: string | null;
  q: string;
  /** The states that are shown; null for all. */
  states: VehicleState[] | null;
  sort: ListSort;
}

/** The selected vehicle, search, states and order; `set` leaves what it is not given as it is. */
export function useMapAddress(): MapAddress & { set: (change: Partial<MapAddress>) => void } {
  const { search, change } = useAddress();
  return useMemo(() => {
    const wanted = search.get('states')?.split(',') ?? [];
    const states = VEHICLE_STATES.filter((state) => wanted.includes(state));
    return {
      device_id: search.get('device_id'),
      q: search.get('q') ?? '',
      states: states.length > 0 ? states : null,
      sort: SORTS.find((sort) => sort === search.get('sort')) ?? 'name',
      set: (values) =>
        change((next) => {
          for (const [name, value] of Object.entries(values)) {
            const text = name === 'sort' && value === 'name' ? '' : String(value ?? '');
            if (text) next.set(name, text);
            else next.delete(name);
          }
        }),
    };
  }, [search, change]);
}
