import { useEffect } from 'react';
import { api } from '@/api/api';
import { useRetryWhenBack } from '@/lib/useRetryWhenBack';
import { onDeviceWake } from '@/lib/wake';
import type { MapSource } from './tileSource';

const HOUR_MS = 3_600_000;
/** The addresses of the maps are good for a day at least: a little before, others are asked for. */
const VALID_MS = 23 * HOUR_MS;
const RARELY = { refetchOnMountOrArgChange: VALID_MS / 1_000, refetchOnFocus: false, refetchOnReconnect: false };
const NONE: readonly MapSource[] = [];

const mapSourcesApi = api.injectEndpoints({
  endpoints: (build) => ({
    mapSources: build.query<MapSource[], void>({
      query: () => ({ url: '/api/v1/map-sources' }),
      transformResponse: ({ items }: { items: MapSource[] }) => items,
      keepUnusedDataFor: VALID_MS / 1_000,
      providesTags: ['map-sources'],
    }),
  }),
});

/** The street maps that the server offers, none when it cannot be asked; undefined while they are on their way. */
export function useMapSources(): readonly MapSource[] | undefined {
  const { data, error, fulfilledTimeStamp, refetch } = mapSourcesApi.useMapSourcesQuery(undefined, RARELY);
  useRetryWhenBack(data ? undefined : error, () => void refetch());

  useEffect(() => {
    if (fulfilledTimeStamp === undefined) return;
    // By the clock: a timer of a day stands still while a laptop sleeps.
    const look = () => {
      if (Date.now() - fulfilledTimeStamp >= VALID_MS) void refetch();
    };
    const timer = setInterval(look, HOUR_MS);
    const stop = onDeviceWake(look);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [fulfilledTimeStamp, refetch]);

  return data ?? (error ? NONE : undefined);
}
