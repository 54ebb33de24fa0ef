import type { EventEntry } from '@/api/generated';

/** By what the address knows an event: its id, and when it was, by which the list finds it. */
export const eventKey = ({ id, occurred_at }: Pick<EventEntry, 'id' | 'occurred_at'>): string =>
  `${id}@${Date.parse(occurred_at)}`;

/** How the list is asked for the event of a key; nothing where it is no key. */
export function findEvent(key: string): object | undefined {
  const at = Number(key.split('@')[1]);
  const iso = (instant: number) => new Date(instant).toISOString();
  return Number.isSafeInteger(at) ? { from: iso(at), to: iso(at + 1), page_size: 500 } : undefined;
}
