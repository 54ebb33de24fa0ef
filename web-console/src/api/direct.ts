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
 * One call with the session's token, past the cache: for what nobody shows twice.
 */
export const direct =
  <T>(args: FetchArgs, signal: AbortSignal) =>
  async (dispatch: Dispatch, getState: () => unknown): Promise<DirectResult<T>> => {
    const api = { signal, dispatch, getState: getState as () => WithSession, abort: () => undefined, extra: undefined };
    // The signal goes with the call's context, not with its arguments: there it would put itself in the place of the timeout.
    const answer = await baseQuery(args, { ...api, endpoint: 'direct', type: 'query' }, {});
    return { data: answer.data as T, error: answer.error };
  };
