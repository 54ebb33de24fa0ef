import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LOCALES } from '@/i18n/format';
import type { Language } from '@/i18n/languages';
import type { LiveList } from '@/live/live';
import type { ListQuery, ListSort } from '@/live/protocol';
import { useLiveList } from '@/live/useLive';
import type { VehicleState } from '@/live/vehicleState';
import { useMapAddress } from './useMapAddress';

/** Rows that are asked for at first, before the list knows how many fit. */
const FIRST_ROWS = 30;

/** The list beside the map: what is asked of it, and the rows that are looked at. */
export interface VehicleListState {
  list: LiveList;
  search: string;
  setSearch: (search: string) => void;
  states: VehicleState[] | null;
  setStates: (states: VehicleState[] | null) => void;
  groups: string[] | null;
  setGroups: (groups: string[] | null) => void;
  sort: ListSort;
  /** Neither search nor states nor groups. */
  showAll: () => void;
  /** Whether the list stands by groups. */
  grouped: boolean;
  setGrouped: (grouped: boolean) => void;
  /** Opens a group, or closes it. */
  turn: (groupId: string) => void;
  /** Puts the list in an order; the order it has already is made anew. */
  setSort: (sort: ListSort) => void;
  setRange: (first: number, count: number) => void;
}

/** Asks the live worker for the rows of the list that are on the screen. */
export function useVehicleList(): VehicleListState {
  const { i18n } = useTranslation();
  const { q: search, states, groups, grouped, sort, set } = useMapAddress();
  const [asked, setAsked] = useState(0);
  // What a search finds is open, all else closed: of each these are otherwise.
  const [turnedOf, setTurnedOf] = useState<{ all: string[]; found: string[] }>({ all: [], found: [] });
  const what = search.trim() === '' ? 'all' : 'found';
  const turned = grouped ? turnedOf[what] : null;
  const [range, setRange] = useState({ first: 0, count: FIRST_ROWS });
  const locales = collationOf(i18n.language as Language);
  const query = useMemo(
    (): ListQuery => ({ search, states, groups, sort, turned, asked, locales, ...range }),
    [search, states, groups, sort, turned, asked, locales, range],
  );
  return {
    list: useLiveList(query),
    search,
    setSearch: (q) => set({ q }),
    states,
    setStates: (states) => set({ states }),
    groups,
    setGroups: (groups) => set({ groups }),
    showAll: () => set({ q: '', states: null, groups: null }),
    grouped,
    setGrouped: (grouped) => set({ grouped }),
    turn: useCallback(
      (groupId: string) =>
        setTurnedOf((before) => {
          const others = before[what].filter((id) => id !== groupId);
          return { ...before, [what]: others.length < before[what].length ? others : [...others, groupId] };
        }),
      [what],
    ),
    sort,
    setSort: (sort) => {
      set({ sort });
      setAsked(asked + 1);
    },
    setRange: useCallback((first: number, count: number) => setRange({ first, count }), []),
  };
}

/** No browser collates Javanese. */
const collationOf = (language: Language) => (language === 'jv' ? LOCALES.id : (LOCALES[language] ?? LOCALES.id));
