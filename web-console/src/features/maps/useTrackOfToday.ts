import { useMemo, useState } from 'react';
import { useSelector } from 'react-redux';
import { useDeviceTrackQuery } from '@/api/api';
import { startOfDay } from '@/i18n/timeZone';
import type { LatLng } from '@/map/FleetMap';
import { selectTimeZone } from '@/session/sessionSlice';

/** The line that a vehicle has driven since midnight. */
export interface TrackOfToday {
  shown: boolean;
  loading: boolean;
  error: unknown;
  /** Null while there is nothing to draw. */
  points: LatLng[] | null;
  toggle: () => void;
}

/** The track of one device from this morning on, loaded when it is asked for. Another device starts without one. */
export function useTrackOfToday(deviceId: string | null): TrackOfToday {
  const [asked, setAsked] = useState<{ deviceId: string; from: string; to: string } | null>(null);
  const timeZone = useSelector(selectTimeZone);
  const shown = asked !== null && asked.deviceId === deviceId;
  const { currentData, isFetching, error } = useDeviceTrackQuery(
    { id: asked?.deviceId ?? '', from: asked?.from ?? '', to: asked?.to ?? '' },
    { skip: !shown },
  );
  const points = useMemo(() => {
    if (!shown || !currentData?.items) return null;
    // A jump is nowhere on the way.
    const placed = currentData.items.filter(({ mark }) => mark !== 'jump');
    return placed.map(({ lat = 0, lng = 0 }): LatLng => [lat, lng]);
  }, [shown, currentData]);

  const toggle = () => {
    if (shown || !deviceId) return setAsked(null);
    const now = new Date();
    setAsked({ deviceId, from: startOfDay(now.getTime(), timeZone).toISOString(), to: now.toISOString() });
  };
  return { shown, loading: shown && isFetching, error: shown ? error : undefined, points, toggle };
}
