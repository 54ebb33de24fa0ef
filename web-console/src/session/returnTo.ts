/** Where to go after signing in when no page was asked for. */
const HOME = '/';
/** The query parameter of the login page that holds the page asked for. */
export const RETURN_PARAM = 'next';

/** The login page's address that leads back to this path and query. */
export function loginPath(from?: string): string {
  return from && from !== HOME ? `/auth/login?${RETURN_PARAM}=${encodeURIComponent(from)}` : '/auth/login';
}

/**
 * The page to return to, if it is one of ours. Anything that a browser could read as another origin leads home instead,
 * so that a prepared link cannot send a freshly signed-in user elsewhere.
 */
export function safeReturnPath(value: string | null, origin = window.location.origin): string {
  if (!value?.startsWith('/') || value.startsWith('//') || value.includes('\\')) return HOME;
  try {
    const url = new URL(value, origin);
    if (url.origin !== origin || url.pathname.startsWith('/auth/')) return HOME;
    return url.pathname + url.search + url.hash;
  } catch {
    return HOME;
  }
}
