import { useTranslation } from 'react-i18next';
import type { Maintenance } from '@/api/generated';
import { StatusBadge, type StatusTone } from './StatusBadge';

const TONES: Record<string, StatusTone> = {
  scheduled: 'neutral',
  due_soon: 'info',
  due: 'warning',
  overdue: 'negative',
  paused: 'neutral',
  done: 'positive',
};

/** How a maintenance stands today. */
export function MaintenanceBadge({ row: { state } }: { row: Pick<Maintenance, 'state'> }) {
  const { t } = useTranslation('maintenance');
  return <StatusBadge tone={TONES[state] ?? 'neutral'}>{t(`state.${state}` as 'state.due')}</StatusBadge>;
}
