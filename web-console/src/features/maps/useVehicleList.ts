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
  sort: ListSort;
  /** Neither search nor states. */
  showAll: () => void;
  /** Puts the list in an order; the order it has already is made anew. */
  setSort: (sort: ListSort) => void;
  setRange: (first: number, count: number) => void;
}

/** Asks the live worker for the rows of the list that are on the screen. */
export function useVehicleList(): VehicleListState {
  const { i18n } = useTranslation();
  const { q: search, states, sort, set } = useMapAddress();
  const [asked, setAsked] = useState(0);
  const [range, setRange] = useState({ first: 0, count: FIRST_ROWS });
  const locales = collationOf(i18n.language as Language);
  const query = useMemo(
    (): ListQuery => ({ search, states, sort, asked, locales, ...range }),
    [search, states, sort, asked, locales, range],
  );
  return {
    list: useLiveList(query),
    search,
    setSearch: (q) => set({ q }),
    states,
    setStates: (states) => set({ states }),
    showAll: () => set({ q: '', states: null }),
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
