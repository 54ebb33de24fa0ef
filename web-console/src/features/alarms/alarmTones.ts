import type { StatusTone } from '@/components/StatusBadge';

/** How much an alarm asks of its reader. */
export const SEVERITY_TONES: Record<string, StatusTone> = { critical: 'negative', warning: 'warning' };
