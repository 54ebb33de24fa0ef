import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '@/api/generated';
import { StatusBadge } from '@/components/StatusBadge';
import { outcomeOf } from './auditActs';

/** What came of an act, as a mark and a word. */
export function OutcomeBadge({ row }: { row: AuditEntry }) {
  const { t } = useTranslation('audit');
  const outcome = outcomeOf(row.act);
  return <StatusBadge tone={outcome === 'done' ? 'positive' : 'negative'}>{t(`outcome.${outcome}`)}</StatusBadge>;
}
