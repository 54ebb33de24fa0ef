import type { Tenant } from '@/api/types';
import type { Formats } from '@/i18n/format';
import type { Question, Values } from '@/resource/defineResource';
import type { ResourceText } from '@/resource/texts';

const DAY_MS = 24 * 3600 * 1000;
/** The server takes no fewer, but for 0. */
const HISTORY_DAYS_MIN = 7;

/** Whether less history is kept than before; 0 keeps all of it. */
const isShorter = (days: number, before: number) => days >= HISTORY_DAYS_MIN && (before === 0 || days < before);

/** Nobody shuts out a whole company, or deletes its history, in passing. */
export function tenantQuestion(
  { active, history_days }: Values,
  tenant: Tenant | undefined,
  t: ResourceText,
  formats: Formats,
): Question | undefined {
  if (!tenant) return undefined;
  const { name } = tenant;
  const days = Number(history_days);
  const deletes = isShorter(days, tenant.history_days);
  const deactivates = tenant.active && !active;
  const history = deletes ? t('confirmHistory.text', { date: formats.date(Date.now() - days * DAY_MS) }) : '';
  if (deactivates) {
    const text = [t('confirmDeactivate.text'), history].filter(Boolean).join(' ');
    return { title: t('confirmDeactivate.title', { name }), text, destructive: deletes };
  }
  if (!deletes) return undefined;
  const confirm = t('confirmHistory.confirm');
  return { title: t('confirmHistory.title', { name }), text: history, confirm, destructive: true };
}
