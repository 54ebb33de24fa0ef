/** Signing out waits this long for the server. */
const SIGN_OUT_TIMEOUT_MS = 1_000;

/**
 * Tells the server that this session is over. Whether it answers or not, whoever called forgets the session; the request
 * outlives the page.
 */
export async function signOut(token: string | null): Promise<void> {
  const request = fetch(new URL('/auth/logout', window.location.origin), {
    method: 'POST',
    credentials: 'same-origin',
    keepalive: true,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  }).catch(() => undefined);
  await Promise.race([request, new Promise((resolve) => setTimeout(resolve, SIGN_OUT_TIMEOUT_MS))]);
}
