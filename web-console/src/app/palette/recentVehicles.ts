import { useEffect } from 'react';
import { useSelector } from 'react-redux';
import { useLocation } from 'react-router';
import { selectPerson } from '@/session/sessionSlice';

/** So many are remembered. */
const MOST = 5;
const ID = /^[0-9a-f-]{36}$/;
/** What names the vehicle in the addresses of these screens. */
const PARAMS: Record<string, string> = { '/devices': 'open', '/maps': 'device_id', '/playback': 'device_id' };
const PAGES = '/devices/';

const keyOf = (personId: string) => `recent_vehicles.${personId}`;

/** The vehicle that an address shows; null where it shows none, or several. */
export function vehicleAt(pathname: string, search: string): string | null {
  const param = PARAMS[pathname];
  const named = param ? new URLSearchParams(search).getAll(param) : [];
  const id = pathname.startsWith(PAGES) ? pathname.slice(PAGES.length) : named.length === 1 ? named[0] : undefined;
  return id && ID.test(id) ? id : null;
}

/** The vehicles that somebody has looked at in this browser, the last one first. */
export function recentVehicles(personId: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(personId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id): id is string => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** Remembers which vehicles the addresses show; for the shell. */
export function useRememberVehicles(): void {
  const { pathname, search } = useLocation();
  const personId = useSelector(selectPerson)?.id ?? '';
  const shown = vehicleAt(pathname, search);
  useEffect(() => {
    if (shown === null) return;
    const next = [shown, ...recentVehicles(personId).filter((id) => id !== shown)].slice(0, MOST);
    try {
      localStorage.setItem(keyOf(personId), JSON.stringify(next));
    } catch {
      // A browser that keeps nothing offers none.
    }
  }, [shown, personId]);
}
