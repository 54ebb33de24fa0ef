import type { EventEntry } from '@/api/generated';
import { instantKey } from '@/lib/instantKey';

/** By what the address knows an event. */
export const eventKey = ({ id, occurred_at }: Pick<EventEntry, 'id' | 'occurred_at'>): string =>
  instantKey(id, occurred_at);
