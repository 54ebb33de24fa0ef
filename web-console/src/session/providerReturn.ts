const KEY = 'signing_in_by_provider';

/** The page that a second tab ends on, whose only end is to sign the others in again. */
export const SIGNED_IN_PATH = '/signed-in';

/** The address that leads to the provider of identities, and back to this path in the end. */
export const providerAddress = (next: string) => `/auth/oidc/start?next=${encodeURIComponent(next)}`;

/**
 * Sends the browser there. What comes back is a cookie that no script sees, so the page remembers that there may be one.
 */
export function leaveForProvider(next: string): void {
  try {
    sessionStorage.setItem(KEY, '1');
  } catch {
    // Then the page does not know, and asks to sign in again.
  }
  window.location.assign(providerAddress(next));
}

/** Whether this tab went to the provider and may have come back with a session. */
export function mayComeFromProvider(): boolean {
  // A tab that was opened for it remembers nothing.
  if (window.location.pathname === SIGNED_IN_PATH) return true;
  try {
    return sessionStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** The same, once: what comes of it is found out by who asks. */
export function takeProviderReturn(): boolean {
  const may = mayComeFromProvider();
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept there.
  }
  return may;
}
