import { fetchBaseQuery, type BaseQueryApi, type BaseQueryFn, type FetchArgs } from '@reduxjs/toolkit/query';
import { renewSession } from '@/session/renewal';
import { ended, renewed, type WithSession } from '@/session/sessionSlice';
import { normaliseError, type ApiError } from './errors';

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

const send = fetchBaseQuery({
  baseUrl: window.location.origin,
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

/**
 * Sends a call with the session's token. An expired token is never sent: it is renewed first, and once more when the
 * server says 401. When the server refuses that, the session ends.
 */
export const baseQuery: BaseQueryFn<string | FetchArgs, unknown, ApiError> = async (args, api, extraOptions) => {
  if (!isSessionCall(args)) {
    const { token, claims } = sessionOf(api);
    if (token && claims?.expiresAt != null && claims.expiresAt <= Date.now()) await renew(api, token);
  }
  const usedToken = sessionOf(api).token;
  let result = await send(args, api, extraOptions);
  if (result.error?.status === 401 && usedToken && !isSessionCall(args) && (await renew(api, usedToken))) {
    result = await send(args, api, extraOptions);
  }
  if (result.error) return { error: normaliseError(result.error), meta: result.meta };
  return { data: result.data, meta: result.meta };
};

async function renew(api: BaseQueryApi, staleToken: string): Promise<boolean> {
  const renewal = await renewSession(staleToken);
  // Somebody signed out, or in as another, while this was under way.
  if (sessionOf(api).token !== staleToken) return sessionOf(api).token !== null;
  if (renewal.outcome === 'renewed') api.dispatch(renewed(renewal));
  if (renewal.outcome === 'refused') api.dispatch(ended('expired'));
  return renewal.outcome === 'renewed';
}
