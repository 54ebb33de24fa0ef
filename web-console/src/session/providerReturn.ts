const KEY = 'signing_in_by_provider';

/**
 * The address that sends the browser to the provider of identities, and back to this path in the end. What comes back is
 * a cookie that no script sees, so the page remembers that there may be one.
 */
export function leaveForProvider(next: string): void {
  try {
    sessionStorage.setItem(KEY, '1');
  } catch {
    // Then the page does not know, and asks to sign in again.
  }
  window.location.assign(`/auth/oidc/start?next=${encodeURIComponent(next)}`);
}

/** Whether this tab went to the provider and may have come back with a session; true once. */
export function takeProviderReturn(): boolean {
  try {
    const went = sessionStorage.getItem(KEY) !== null;
    sessionStorage.removeItem(KEY);
    return went;
  } catch {
    return false;
  }
}
