import { normaliseError, REQUEST_FAILED, type ApiError } from './errors';
import type { LoginRequest, LoginResponse, OidcCodeRequest, SessionUser, SignInOptions } from './generated';
import { REQUEST_TIMEOUT_MS } from './requestTimeout';

// Calls of those who are not signed in, without the store: the page of the sign-in comes before the console does.

/** What signing in brings. */
export interface Granted {
  token: string;
  user: SessionUser;
}

/** What came of a call. */
type Answer<T> = { data: T; error?: undefined } | { data?: undefined; error: ApiError };

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function call<T>(path: string, body?: object): Promise<Answer<T>> {
  try {
    const response = await fetch(new URL(path, window.location.origin), {
      method: body ? 'POST' : 'GET',
      body: body && JSON.stringify(body),
      credentials: 'same-origin',
      headers: {
        'accept-language': document.documentElement.lang,
        ...(body && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const data = await bodyOf(response);
    if (response.ok) return { data: data as T };
    const retryAfter = Number(response.headers.get('retry-after')) || undefined;
    return { error: { ...normaliseError({ status: response.status, data }), retryAfter } };
  } catch {
    return { error: { status: 0, message: REQUEST_FAILED } };
  }
}

async function granted(answer: Promise<Answer<LoginResponse>>): Promise<Answer<Granted>> {
  const { data, error } = await answer;
  if (error) return { error };
  if (!data.token || !data.user) return { error: { status: 0, message: REQUEST_FAILED } };
  return { data: { token: data.token, user: data.user } };
}

/** Signs in by a password, and a code where one is wanted. */
export const signInByPassword = (request: LoginRequest) => granted(call('/auth/login', request));

/** Signs in whom a provider has vouched for, by a code of their second factor. */
export const signInByCode = (request: OidcCodeRequest) => granted(call('/auth/oidc/code', request));

/** Which ways in there are; nothing when the server does not say. */
export const signInOptions = async () => (await call<SignInOptions>('/auth/options')).data;
