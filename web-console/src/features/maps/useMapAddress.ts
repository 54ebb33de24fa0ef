import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import { useAddress } from '@/lib/address';
import { readUsualView } from '@/lib/savedViews';
import type { ListSort } from '@/live/protocol';
import { VEHICLE_STATES, type VehicleState } from '@/live/vehicleState';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { CHOSEN_MAX } from './choosing';

const SORTS: readonly ListSort[] = ['state', 'name', 'recent'];

/** What of the map stands in its address, so that a link shows the same and a reload loses nothing. */
export interface MapAddress {
  /** The chosen vehicles. */
  deviceIds: string[];
  q: string;
  /** The states that are shown; null for all. */
  states: VehicleState[] | null;
  /** Only who is in one of these groups, or in one that lies in it; null for all. */
  groups: string[] | null;
  sort: ListSort;
  /** Whether the list stands by groups. */
  grouped: boolean;
  /** The part of the map that is shown at first, as `writeArea` writes it; null for all vehicles. */
  area: string | null;
}

/** Under what name the server keeps the views of the map. */
export const MAP_SCREEN = 'maps';

/** What of the map a view keeps: all but the chosen vehicles. */
export type MapView = Omit<MapAddress, 'deviceIds'>;

/** What of an address a view of the map keeps. */
export function mapViewQuery({ area, grouped, groups, q, sort, states }: MapView): string {
  const query = new URLSearchParams();
  write(query, { area, grouped, groups, q, sort, states });
  return query.toString();
}

/** Under what name each part stands in the address, and how it is written there; nothing for what is as usual. */
const PARTS: { [name in keyof MapAddress]: [name: string, write: (value: MapAddress[name]) => string] } = {
  deviceIds: ['device_id', (ids) => ids.join()],
  q: ['q', (text) => text],
  states: ['states', (states) => states?.join() ?? ''],
  groups: ['groups', (ids) => ids?.join() ?? ''],
  sort: ['sort', (sort) => (sort === 'state' ? '' : sort)],
  grouped: ['by', (grouped) => (grouped ? 'group' : '')],
  area: ['area', (area) => area ?? ''],
};

function write(query: URLSearchParams, values: Partial<MapAddress>): void {
  for (const [part, value] of Object.entries(values)) {
    const [name, textOf] = PARTS[part as keyof MapAddress] as [string, (value: unknown) => string];
    const text = textOf(value);
    if (text) query.set(name, text);
    else query.delete(name);
  }
}

const listIn = (search: URLSearchParams, name: string) => [
  ...new Set((search.get(name) ?? '').split(',').filter((text) => text !== '')),
];

/** What an address says of the map. */
export function readMapAddress(search: URLSearchParams): MapAddress {
  const wanted = listIn(search, 'states');
  const states = VEHICLE_STATES.filter((state) => wanted.includes(state));
  const groups = listIn(search, 'groups');
  return {
    deviceIds: listIn(search, 'device_id').slice(0, CHOSEN_MAX),
    q: search.get('q') ?? '',
    states: states.length > 0 ? states : null,
    groups: groups.length > 0 ? groups : null,
    grouped: search.get('by') === 'group',
    sort: SORTS.find((sort) => sort === search.get('sort')) ?? 'state',
    area: search.get('area'),
  };
}

/**
 * The chosen vehicles, search, states, groups, order and part of the map; `set` leaves what it is not given as it is. Who comes
 * without any wish sees the view that they have made their usual one. Groups are for who may list devices: to others nobody says
 * who is in which.
 */
export function useMapAddress(): MapAddress & { set: (change: Partial<MapAddress>, atOnce?: boolean) => void } {
  const { search, settled, change } = useAddress();
  const person = useSelector(selectPerson);
  const personId = person?.id;
  const mayGroup = can('device:list', person);
  const usual = useMemo(() => readUsualView(personId, MAP_SCREEN), [personId]);
  return useMemo(() => {
    const isBare = (present: URLSearchParams) => !settled && present.toString() === '' && usual !== undefined;
    const read = readMapAddress(isBare(search) ? new URLSearchParams(usual) : search);
    return {
      ...read,
      groups: mayGroup ? read.groups : null,
      grouped: mayGroup && read.grouped,
      set: (values, atOnce) => {
        const put = (next: URLSearchParams) => {
          if (isBare(next)) for (const [name, text] of new URLSearchParams(usual)) next.set(name, text);
          write(next, values);
        };
        change(put, 'replace', atOnce);
      },
    };
  }, [search, settled, change, usual, mayGroup]);
}
