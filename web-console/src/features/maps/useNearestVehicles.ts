import { useEffect, useState } from 'react';
import type { Place } from '@/lib/greatCircle';
import { live } from '@/live/live';
import type { NearVehicle } from '@/live/protocol';

/** So many fit beside the map. */
const COUNT = 10;
/** Vehicles drive: the order is made anew this often. */
const REFRESH_MS = 2_000;

/** The vehicles nearest to a place, and again while they move; null while that is not known. */
export function useNearestVehicles(place: Place | undefined): NearVehicle[] | null {
  const [found, setFound] = useState<{ place: Place; vehicles: NearVehicle[] } | null>(null);
  useEffect(() => {
    if (!place) return;
    let gone = false;
    const ask = () =>
      void live.nearest(place, COUNT).then((vehicles) => {
        if (!gone) setFound({ place, vehicles });
      });
    ask();
    const timer = setInterval(ask, REFRESH_MS);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [place]);
  return found !== null && found.place === place ? found.vehicles : null;
}
