import { isAnyOf, isFulfilled, isPending, isRejected, isRejectedWithValue, type Middleware } from '@reduxjs/toolkit';
import { api } from './api';

type Tags = Parameters<typeof api.util.invalidateTags>[0];
type ApiState = Parameters<typeof api.util.selectInvalidatedBy>[0];

/** What each action of a call says of it. */
interface Call {
  type: 'query' | 'mutation';
  endpointName: string;
  originalArgs: unknown;
  queryCacheKey: string;
}

/** A query under way, and what has been made old since it was sent. */
interface UnderWay {
  call: Call;
  tags: Tags[number][];
  /** What it showed before is old already. */
  isOld: boolean;
}

const isSent = isPending();
const isGood = isFulfilled();
const isDone = isAnyOf(isGood, isRejectedWithValue());
const isSettled = isAnyOf(isGood, isRejected());

/** The call of an action, if it is one of the API's of this kind. */
function callOf(action: { type: string; meta: { arg: unknown } }, type: Call['type']): Call | null {
  const call = action.meta.arg as Call;
  return action.type.startsWith(`${api.reducerPath}/`) && call.type === type ? call : null;
}

type Invalidates = (answer: unknown, error: unknown, arg: unknown) => Tags;

/** What a mutation that is done has made old, as is said of its endpoint. */
function tagsOf({ endpointName, originalArgs }: Call, answer: unknown, error: unknown): Tags {
  let tags: Tags = [];
  const read = ({ invalidatesTags: old = [] }: { invalidatesTags?: Tags | Invalidates }) => {
    tags = typeof old === 'function' ? old(answer, error, originalArgs) : old;
  };
  api.enhanceEndpoints({ endpoints: { [endpointName]: read } });
  return tags;
}

/** What an action makes old. */
function madeOld(action: unknown): Tags {
  if (api.util.invalidateTags.match(action)) return action.payload;
  const call = isDone(action) ? callOf(action, 'mutation') : null;
  if (!call || !isDone(action)) return [];
  return isGood(action) ? tagsOf(call, action.payload, undefined) : tagsOf(call, undefined, action.payload);
}

/** Asks once more. */
function again({ endpointName, originalArgs }: Call) {
  const endpoints = api.endpoints as Record<string, { initiate: (arg: unknown, how: object) => { type: string } }>;
  return endpoints[endpointName]?.initiate(originalArgs, { subscribe: false, forceRefetch: true });
}

/**
 * What shows something that was changed is asked for at once, whatever other calls hang. But a query that is under way just
 * then is not asked twice, and its answer may be from before the change: it is asked again once it is here.
 */
export const askOvertakenAgain: Middleware<object, ApiState> = ({ getState, dispatch }) => {
  const underWay = new Map<string, UnderWay>();
  const shows = ({ queryCacheKey }: Call, tags: Tags) =>
    api.util.selectInvalidatedBy(getState(), tags).some((shown) => shown.queryCacheKey === queryCacheKey);

  const note = (tags: Tags) => {
    if (tags.length === 0) return;
    for (const query of underWay.values()) {
      query.tags.push(...tags);
      query.isOld ||= shows(query.call, tags);
    }
  };

  const settled = (requestId: string) => {
    const query = underWay.get(requestId);
    underWay.delete(requestId);
    if (!query || query.tags.length === 0) return;
    const action = query.isOld || shows(query.call, query.tags) ? again(query.call) : undefined;
    if (action) dispatch(action);
  };

  return (next) => (action) => {
    // Before anything is asked for because of it: that answer will be a new one.
    note(madeOld(action));
    const result = next(action);
    if (api.util.resetApiState.match(action)) underWay.clear();
    const call = isSent(action) ? callOf(action, 'query') : null;
    if (call && isSent(action)) underWay.set(action.meta.requestId, { call, tags: [], isOld: false });
    if (isSettled(action)) settled(action.meta.requestId);
    return result;
  };
};
