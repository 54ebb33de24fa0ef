import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import { useAddress } from '@/lib/address';
import { readUsualView } from '@/lib/savedViews';
import type { ListSort } from '@/live/protocol';
import { selectPerson } from '@/session/sessionSlice';
import { VEHICLE_STATES, type VehicleState } from '@/live/vehicleState';

const SORTS: readonly ListSort[] = ['name', 'state', 'recent'];

/** What of the map stands in its address, so that a link shows the same and a reload loses nothing. */
export interface MapAddress {
  /** The selected vehicle. */
  device_id: string | null;
  q: string;
  /** The states that are shown; null for all. */
  states: VehicleState[] | null;
  sort: ListSort;
  /** The part of the map that is shown at first, as `writeArea` writes it; null for all vehicles. */
  area: string | null;
}

/** Under what name the server keeps the views of the map. */
export const MAP_SCREEN = 'maps';

/** What of an address a view of the map keeps; the selected vehicle is none of it. */
export function mapViewQuery({ q, states, sort, area }: Omit<MapAddress, 'device_id'>): string {
  const query = new URLSearchParams();
  write(query, { area, q, sort, states });
  return query.toString();
}

/** Writes into an address; what is as usual is left out. */
function write(query: URLSearchParams, values: Partial<MapAddress>): void {
  for (const [name, value] of Object.entries(values)) {
    const text = name === 'sort' && value === 'name' ? '' : String(value ?? '');
    if (text) query.set(name, text);
    else query.delete(name);
  }
}

/** What an address says of the map. */
export function readMapAddress(search: URLSearchParams): MapAddress {
  const wanted = search.get('states')?.split(',') ?? [];
  const states = VEHICLE_STATES.filter((state) => wanted.includes(state));
  return {
    device_id: search.get('device_id'),
    q: search.get('q') ?? '',
    states: states.length > 0 ? states : null,
    sort: SORTS.find((sort) => sort === search.get('sort')) ?? 'name',
    area: search.get('area'),
  };
}

/**
 * The selected vehicle, search, states, order and part of the map; `set` leaves what it is not given as it is. Who comes without
 * any wish sees the view that they have made their usual one.
 */
export function useMapAddress(): MapAddress & { set: (change: Partial<MapAddress>) => void } {
  const { search, settled, change } = useAddress();
  const personId = useSelector(selectPerson)?.id;
  const usual = useMemo(() => readUsualView(personId, MAP_SCREEN), [personId]);
  return useMemo(() => {
    const isBare = (present: URLSearchParams) => !settled && present.toString() === '' && usual !== undefined;
    return {
      ...readMapAddress(isBare(search) ? new URLSearchParams(usual) : search),
      set: (values) =>
        change((next) => {
          if (isBare(next)) for (const [name, text] of new URLSearchParams(usual)) next.set(name, text);
          write(next, values);
        }),
    };
  }, [search, settled, change, usual]);
}
