import { fetchBaseQuery, type BaseQueryApi, type BaseQueryFn, type FetchArgs } from '@reduxjs/toolkit/query';
import { renewSession } from '@/session/renewal';
import { nextSessionChange } from '@/session/sessionChange';
import { renewalRefused, renewed, type WithSession } from '@/session/sessionSlice';
import { refreshAbilities } from './refreshAbilities';
import { keyed, settle } from './idempotency';
import { REQUEST_FAILED, normaliseError, type ApiError } from './errors';
import { unanswered } from './networkSlice';
import { REQUEST_TIMEOUT_MS } from './requestTimeout';
import { untilLive } from './untilLive';
import { checkNetwork } from './watchNetwork';

/** Query string of the parameters: null and empty ones are dropped, arrays are repeated. */
export function serialiseParams(params: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null && item !== undefined && item !== '') query.append(name, String(item));
    }
  }
  return query.toString();
}

const sessionOf = (api: BaseQueryApi) => (api.getState() as WithSession).session;

/** What is no text, and may be long. */
const BINARY = 'application/x-protobuf';

/**
 * fetchBaseQuery reads a second copy of each answer as text, for the words of one that cannot be read. What is binary has
 * none: its copy is empty, or a month of a track would be read twice while somebody waits for it.
 */
async function fetchOnce(request: RequestInfo): Promise<Response> {
  const response = await fetch(request);
  if (response.headers.get('content-type') === BINARY) {
    const { status, statusText, headers } = response;
    response.clone = () => new Response(null, { status, statusText, headers });
  }
  return response;
}

const send = fetchBaseQuery({
  baseUrl: window.location.origin,
  fetchFn: fetchOnce,
  timeout: REQUEST_TIMEOUT_MS,
  credentials: 'same-origin',
  responseHandler: 'content-type',
  paramsSerializer: serialiseParams,
  prepareHeaders: (headers, { getState }) => {
    const { token } = (getState() as WithSession).session;
    if (token) headers.set('authorization', `Bearer ${token}`);
    headers.set('accept-language', document.documentElement.lang);
    return headers;
  },
});

/** Signing in, renewing and signing out answer 401 for reasons of their own. */
const isSessionCall = (args: string | FetchArgs) => (typeof args === 'string' ? args : args.url).startsWith('/auth/');

const currentUserId = (api: BaseQueryApi) => sessionOf(api).user?.id ?? null;

const NO_ANSWER: ApiError = { status: 0, message: REQUEST_FAILED };
const NOT_SIGNED_IN: ApiError = { status: 401, message: REQUEST_FAILED };

/**
 * Sends a call with the session's token. An expired token is never sent: it is renewed first, and once more when the
 * server says 401. When the session has ended, the call waits until its user has signed in again, and is lost with the
 * screen if somebody else does: nothing goes out in another name than it was asked for in.
 */
export const baseQuery: BaseQueryFn<string | FetchArgs, unknown, ApiError> = async (args, api, extraOptions) => {
  if (isSessionCall(args)) return answerOf(await send(args, api, extraOptions), api);
  const person = currentUserId(api);
  await untilLive(typeof args === 'string' ? args : args.url);
  const obstacle = await goodToken(api, person, null);
  if (obstacle) return { error: obstacle };
  const { token } = sessionOf(api);
  const call = keyed(args);
  const answer = await sendWithToken(call, token, api, extraOptions);
  settle(args, !answer.error);
  return answer;
};

/** Asks once more with a new token when the one that was good is not any longer. */
async function sendWithToken(call: string | FetchArgs, token: string | null, api: BaseQueryApi, extraOptions: object) {
  const person = currentUserId(api);
  const result = await send(call, api, extraOptions);
  // Who may do less than the console believes is told what they may do now.
  if (result.error?.status === 403) void refreshAbilities(api);
  if (result.error?.status !== 401 || !token) return answerOf(result, api);
  const refused = await goodToken(api, person, token);
  if (refused) return { error: refused };
  return answerOf(await send(call, api, extraOptions), api);
}

type Sent = Awaited<ReturnType<typeof send>>;

function answerOf({ data, error, meta }: Sent, api: BaseQueryApi) {
  if (!error) return { data, meta };
  if (error.status === 'FETCH_ERROR' && !api.signal.aborted) api.dispatch(unanswered());
  // One call that takes too long says nothing of the others.
  if (error.status === 'TIMEOUT_ERROR') checkNetwork();
  const headers = meta?.response?.headers;
  const requestId = headers?.get('x-request-id') ?? undefined;
  const retryAfter = Number(headers?.get('retry-after')) || undefined;
  return { error: { ...normaliseError(error), requestId, retryAfter }, meta };
}

/** Comes back when this person has a token that is good and not the stale one; tells why if that will not be. */
async function goodToken(api: BaseQueryApi, person: string | null, stale: string | null): Promise<ApiError | null> {
  for (;;) {
    if (currentUserId(api) !== person) return NOT_SIGNED_IN;
    if (api.signal.aborted) return NO_ANSWER;
    if (person === null) return null;
    const { token, claims } = sessionOf(api);
    if (!token) {
      await nextSessionChange(api.signal);
    } else if (token === stale || (claims?.expiresAt != null && claims.expiresAt <= Date.now())) {
      const obstacle = await renew(api, token);
      if (obstacle) return obstacle;
    } else {
      return null;
    }
  }
}

async function renew(api: BaseQueryApi, staleToken: string): Promise<ApiError | null> {
  const renewal = await renewSession(staleToken);
  // Somebody signed out, or in as another, while this was under way.
  if (sessionOf(api).token !== staleToken) return null;
  if (renewal.outcome === 'renewed') api.dispatch(renewed(renewal));
  if (renewal.outcome === 'refused') api.dispatch(renewalRefused());
  if (renewal.outcome !== 'unreachable') return null;
  if (!renewal.answered) api.dispatch(unanswered());
  return NO_ANSWER;
}
