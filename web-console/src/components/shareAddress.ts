import type { ShareLink } from '@/api/generated';

/** An address, in the one moment in which it can be seen. */
export interface ShownAddress {
  name: string;
  address: string;
  hasPin: boolean;
}

let present: ShownAddress | null = null;
const listeners = new Set<() => void>();

/** Hears when there is another one, or none. */
export const subscribeAddress = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The one that is shown. */
export const presentAddress = (): ShownAddress | null => present;

/**
 * Shows the address of a link that was made just now, whatever becomes of the drawer that it was made in. What tells it
 * from others stands behind the `#`, which browsers keep to themselves.
 */
export function showAddress({ name, url_token: token, has_pin: hasPin }: ShareLink): void {
  notify(token ? { name, address: `${window.location.origin}/share#${token}`, hasPin } : null);
}

/** Shows none any more. */
export const hideAddress = (): void => notify(null);

function notify(address: ShownAddress | null): void {
  present = address;
  for (const each of listeners) each();
}
