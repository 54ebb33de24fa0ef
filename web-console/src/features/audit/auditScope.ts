import { addDays, dayBegins } from '@/i18n/timeZone';
import type { ListParams } from '@/lib/listParams';
import { actsFor } from './auditActs';

/** What is chosen, as the call takes it: days of the zone, both of them whole, and the acts with the chosen outcome. */
export function auditScope(params: ListParams, timeZone: string | undefined): ListParams {
  const { outcome, act = [], from, to, ...filters } = params.filters;
  const begins = (day: string) => dayBegins(day, timeZone) && [dayBegins(day, timeZone)?.toISOString() ?? ''];
  return {
    ...params,
    filters: {
      ...filters,
      act: actsFor(act, outcome?.[0]),
      from: begins(from?.[0] ?? '') ?? [],
      to: (begins(to?.[0] ?? '') && begins(addDays(to?.[0] ?? '', 1))) ?? [],
    },
  };
}
