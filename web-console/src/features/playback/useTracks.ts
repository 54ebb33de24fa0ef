import { useEffect, useMemo, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { positionsApi } from '@/api/calls/positions';
import type { Dispatch } from '@/api/direct';
import { readStream } from '@/api/download';
import type { TrackSegment } from '@/api/generated';
import { markGaps } from './segments';
import { TrackReader } from './track/decodeTrack';
import type { Track } from './track/track';

/** What there is of a vehicle. */
export type LoadedTrack =
  | { status: 'loading' }
  | { status: 'failed'; error: unknown }
  | { status: 'ready'; track: Track; segments: TrackSegment[] };

const LOADING: LoadedTrack = { status: 'loading' };
/** How much has come is told no more often than this, in milliseconds: the whole screen is drawn anew for it. */
const PROGRESS_INTERVAL_MS = 250;

/**
 * The tracks of vehicles between two instants, loaded side by side; `reload` has them anew. `bytes` have come of those that are
 * on their way: apart from the tracks, of which lines of many points are made.
 */
export function useTracks(deviceIds: string[], from: number, to: number) {
  const dispatch = useDispatch<Dispatch>();
  const [loaded, setLoaded] = useState<ReadonlyMap<string, LoadedTrack>>(new Map());
  const [bytes, setBytes] = useState<ReadonlyMap<string, number>>(new Map());
  const [attempt, setAttempt] = useState(0);
  const running = useRef(new Map<string, AbortController>());
  const keys = deviceIds.map((id) => `${id} ${from} ${to} ${attempt}`).join(',');

  useEffect(() => {
    const wanted = keys === '' ? [] : keys.split(',');
    const load = async (key: string, signal: AbortSignal) => {
      // What is no longer wanted is let go.
      const kept = <T>(map: ReadonlyMap<string, T>) => [...map].filter(([known]) => running.current.has(known));
      const setAt =
        <T>(value: T) =>
        (before: ReadonlyMap<string, T>) =>
          signal.aborted ? before : new Map(kept(before)).set(key, value);
      const [id = '', since, until] = key.split(' ');
      const span = { from: new Date(Number(since)).toISOString(), to: new Date(Number(until)).toISOString() };
      const reportProgress = throttled((come: number) => setBytes(setAt(come)));
      setLoaded(setAt(await loadTrack(dispatch, id, span, signal, reportProgress)));
    };
    for (const [key, abort] of running.current) {
      if (wanted.includes(key)) continue;
      abort.abort();
      running.current.delete(key);
    }
    for (const key of wanted) {
      if (running.current.has(key)) continue;
      const abort = new AbortController();
      running.current.set(key, abort);
      void load(key, abort.signal);
    }
  }, [dispatch, keys]);

  useEffect(() => {
    const all = running.current;
    return () => {
      for (const abort of all.values()) abort.abort();
      all.clear();
    };
  }, []);

  const tracks = useMemo(
    () =>
      keys === '' ? [] : keys.split(',').map((key) => [key.split(' ')[0] ?? '', loaded.get(key) ?? LOADING] as const),
    [keys, loaded],
  );
  const onTheWay = keys.split(',').filter((key) => !loaded.has(key));
  const come = onTheWay.reduce((sum, key) => sum + (bytes.get(key) ?? 0), 0);
  return { tracks, bytes: come, reload: () => setAttempt(attempt + 1) };
}

async function loadTrack(
  dispatch: Dispatch,
  id: string,
  span: { from: string; to: string },
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<LoadedTrack> {
  const segments = dispatch(
    positionsApi.endpoints.deviceTrackSegments.initiate({ id, ...span }, { forceRefetch: true, subscribe: false }),
  );
  const url = `/api/v1/devices/${encodeURIComponent(id)}/track`;
  const reader = new TrackReader();
  let bytes = 0;
  const onPart = (part: Uint8Array) => {
    reader.push(part);
    bytes += part.length;
    onProgress(bytes);
  };
  const call = readStream({ url, params: { ...span, format: 'columns' } }, { signal, onPart });
  const { data: come, error: broken } = await dispatch(call);
  try {
    const track = come && reader.end();
    const { data: parts, error } = await segments;
    if (!track || !parts) return { status: 'failed', error: broken ?? error };
    markGaps(track, parts.items);
    return { status: 'ready', track, segments: parts.items };
  } catch (cause) {
    return { status: 'failed', error: cause };
  }
}

/** Passes on a number now and then. */
function throttled(reportProgress: (value: number) => void): (value: number) => void {
  let last = performance.now();
  return (value) => {
    if (performance.now() - last < PROGRESS_INTERVAL_MS) return;
    last = performance.now();
    reportProgress(value);
  };
}
