import { useMemo, useState } from 'react';
import { useSelector } from 'react-redux';
import { useDeviceTrackQuery } from '@/api/calls/positions';
import { startOfDay } from '@/i18n/timeZone';
import { PLAYED_MAX } from '@/lib/address';
import { isElsewhere } from '@/lib/fixMarks';
import type { LatLng } from '@/map/FleetMap';
import { selectTimeZone } from '@/session/sessionSlice';

/** The lines that vehicles have driven since midnight. */
export interface TracksOfToday {
  shown: boolean;
  loading: boolean;
  error: unknown;
  /** Of how many positions they are. */
  points: number;
  /** Those of two positions or more; the same until there are others. */
  lines: LatLng[][];
  toggle: () => void;
}

interface Asked {
  ids: string[];
  from: string;
  to: string;
}

/** The tracks of some devices from this morning on, loaded when they are asked for. Other devices start without. */
export function useTracksOfToday(deviceIds: string[]): TracksOfToday {
  const [asked, setAsked] = useState<Asked | null>(null);
  const timeZone = useSelector(selectTimeZone);
  const shown = asked !== null && asked.ids.join() === deviceIds.join();
  const wanted = shown ? asked : null;
  // As many as there may be, one after the other, so that they are always the same calls.
  const one = useTrack(wanted, 0);
  const two = useTrack(wanted, 1);
  const three = useTrack(wanted, 2);
  const four = useTrack(wanted, 3);
  const all = [one, two, three, four];
  const lines = useMemo(
    () => [one.points, two.points, three.points, four.points].filter((points) => points.length > 1),
    [one.points, two.points, three.points, four.points],
  );

  const toggle = () => {
    if (shown || deviceIds.length === 0 || deviceIds.length > PLAYED_MAX) return setAsked(null);
    const now = new Date();
    const from = startOfDay(now.getTime(), timeZone).toISOString();
    setAsked({ ids: deviceIds, from, to: now.toISOString() });
  };
  return {
    shown,
    loading: all.some(({ loading }) => loading),
    error: all.find(({ error }) => error)?.error,
    points: all.reduce((sum, { points }) => sum + points.length, 0),
    lines,
    toggle,
  };
}

interface Track {
  points: LatLng[];
  loading: boolean;
  error: unknown;
}

/** The track of one of those that are asked for, by its place among them. */
function useTrack(asked: Asked | null, place: number): Track {
  const id = asked?.ids[place];
  const { currentData, isFetching, error } = useDeviceTrackQuery(
    { id: id ?? '', from: asked?.from ?? '', to: asked?.to ?? '' },
    { skip: id === undefined },
  );
  const points = useMemo(() => {
    if (id === undefined || !currentData?.items) return NONE;
    // A jump is nowhere on the way.
    const placed = currentData.items.filter((fix) => !isElsewhere(fix));
    return placed.map(({ lat = 0, lng = 0 }): LatLng => [lat, lng]);
  }, [id, currentData]);
  const isAsked = id !== undefined;
  return { points, loading: isAsked && isFetching, error: isAsked ? error : undefined };
}

const NONE: LatLng[] = [];
