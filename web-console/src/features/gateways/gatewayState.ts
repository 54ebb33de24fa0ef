import type { GatewayState } from '@/api/generated';
import type { StatusTone } from '@/components/StatusBadge';

/** How a gateway stands, as far as the console has words for it. */
export type KnownState = Exclude<GatewayState, 'unspecified'>;

/** What that means for its reader. */
export const STATE_TONES: Record<KnownState, StatusTone> = {
  off: 'neutral',
  new: 'info',
  connected: 'positive',
  disconnected: 'warning',
};
