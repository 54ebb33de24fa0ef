/** By what the address knows something that only lists hold: its id, and when it was, by which the list finds it. */
export const instantKey = (id: string, at: string): string => `${id}@${Date.parse(at)}`;

/** How the list is asked for what has a key; nothing where it is no key. */
export function findByInstant(key: string): object | undefined {
  const at = Number(key.split('@')[1]);
  const iso = (instant: number) => new Date(instant).toISOString();
  return Number.isSafeInteger(at) ? { from: iso(at), to: iso(at + 1), page_size: 500 } : undefined;
}
