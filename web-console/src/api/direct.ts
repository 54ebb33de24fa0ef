import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import type { FetchArgs } from '@reduxjs/toolkit/query';
import type { WithSession } from '@/session/sessionSlice';
import { baseQuery } from './baseQuery';
import type { ApiError } from './errors';

/** The dispatch of the console's store, as far as calls need it. */
export type Dispatch = ThunkDispatch<unknown, unknown, UnknownAction>;

/** What a call comes to. */
export interface DirectResult<T> {
  data?: T;
  error?: ApiError;
}

/**
 * One call with the session's token, past the cache: for what nobody shows twice (files), and for many calls after which
 * the lists are to be loaded once.
 */
export const direct =
  <T>(args: FetchArgs, signal: AbortSignal) =>
  async (dispatch: Dispatch, getState: () => unknown): Promise<DirectResult<T>> => {
    const api = { signal, dispatch, getState: getState as () => WithSession, abort: () => undefined, extra: undefined };
    // The signal goes with the call's context, not with its arguments: there it would put itself in the place of the timeout.
    const answer = await baseQuery(args, { ...api, endpoint: 'direct', type: 'query' }, {});
    return { data: answer.data as T, error: answer.error };
  };

/** The largest page that the server gives. */
const LARGEST_PAGE = 500;

/** Every entry of a list that matches, page after page. Entries that change pages meanwhile are not given twice. */
export const fetchAllEntries =
  <T extends { id: string }>(
    url: string,
    params: Record<string, unknown>,
    options: { signal: AbortSignal; onProgress?: (loaded: number, total: number) => void },
  ) =>
  async (dispatch: Dispatch): Promise<DirectResult<T[]>> => {
    const found = new Map<string, T>();
    for (let page = 1; ; page++) {
      const wanted = { ...params, page, page_size: LARGEST_PAGE };
      const { data, error } = await dispatch(
        direct<{ items?: T[]; total?: number }>({ url, params: wanted }, options.signal),
      );
      if (error) return { error };
      const { items = [], total = 0 } = data ?? {};
      for (const item of items) found.set(item.id, item);
      options.onProgress?.(found.size, total);
      if (items.length === 0 || page * LARGEST_PAGE >= total) return { data: [...found.values()] };
    }
  };

/** As many as fit into an address that every proxy takes. */
const IDS_AT_ONCE = 100;

/** What the things of a list are called, by id, in a few calls however many they are. Ids that nobody knows have no name. */
export const fetchNames =
  (url: string, ids: Iterable<string>, signal: AbortSignal) =>
  async (dispatch: Dispatch): Promise<DirectResult<Map<string, string>>> => {
    const names = new Map<string, string>();
    const wanted = [...new Set(ids)].filter(Boolean);
    for (let from = 0; from < wanted.length; from += IDS_AT_ONCE) {
      const params = { ids: wanted.slice(from, from + IDS_AT_ONCE), page_size: IDS_AT_ONCE };
      const { data, error } = await dispatch(
        direct<{ items?: { id: string; name: string }[] }>({ url, params }, signal),
      );
      if (error) return { error };
      for (const { id, name } of data?.items ?? []) names.set(id, name);
    }
    return { data: names };
  };
