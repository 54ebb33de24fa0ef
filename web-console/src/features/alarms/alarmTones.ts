import type { StatusTone } from '@/components/StatusBadge';

/** What each state of an alarm means for its reader. */
export const STATE_TONES: Record<string, StatusTone> = { open: 'negative', acknowledged: 'positive' };
/** The same of how much it asks. */
export const SEVERITY_TONES: Record<string, StatusTone> = { critical: 'negative', warning: 'warning' };
