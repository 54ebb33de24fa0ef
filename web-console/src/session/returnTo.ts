/** Where to go after signing in when no page was asked for. */
const HOME = '/';
/** The query parameter that holds the page asked for. */
export const RETURN_PARAM = 'next';

/** The address of a page that leads back to this path and query. */
export function pathOf(page: string, from?: string): string {
  return from && from !== HOME ? `${page}?${RETURN_PARAM}=${encodeURIComponent(from)}` : page;
}

/** The login page. */
export const LOGIN_PATH = '/auth/login';
/** The login page's address that leads back to this path and query. */
export const loginPath = (from?: string): string => pathOf(LOGIN_PATH, from);

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
