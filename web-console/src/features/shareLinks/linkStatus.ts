import type { ShareLinkStatus } from '@/api/generated';
import type { StatusTone } from '@/components/StatusBadge';

/** How a link stands, as far as the console has words for it. */
export type KnownStatus = Exclude<ShareLinkStatus, 'unspecified'>;

/** What that means for its reader. */
export const STATUS_TONES: Record<KnownStatus, StatusTone> = {
  active: 'positive',
  expired: 'neutral',
  revoked: 'neutral',
  ended: 'warning',
};
