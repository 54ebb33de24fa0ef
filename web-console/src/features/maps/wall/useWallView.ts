import { useCallback, useEffect, useState } from 'react';
import type { Alarm } from '@/api/generated';
import { useArrivals } from '@/components/alarms/useArrivals';
import type { LatLng } from '@/map/FleetMap';

/** All vehicles are brought onto the map again this often: they drive out of it. */
const REFIT_MS = 60_000;
/** For so long the map stays with a new alarm. */
const STAY_MS = 20_000;

interface WallView {
  showAll: () => void;
  flyTo: (place: LatLng) => void;
}

/** Moves the map by itself: to what is new among the alarms, and otherwise to all vehicles. Says at which alarm it is. */
export function useWallView({ showAll, flyTo }: WallView): Alarm | null {
  const [shown, setShown] = useState<Alarm | null>(null);
  const show = useCallback(
    ([alarm]: readonly Alarm[]) => {
      if (!alarm) return;
      setShown(alarm);
      if (alarm.lat !== undefined && alarm.lng !== undefined) flyTo([alarm.lat, alarm.lng]);
    },
    [flyTo],
  );
  useArrivals('warning', show);
  // Of two at once the one that asks more is the last to be shown.
  useArrivals('critical', show);
  useEffect(() => {
    if (shown) {
      const timer = setTimeout(() => setShown(null), STAY_MS);
      return () => clearTimeout(timer);
    }
    showAll();
    const timer = setInterval(showAll, REFIT_MS);
    return () => clearInterval(timer);
  }, [shown, showAll]);
  return shown;
}
