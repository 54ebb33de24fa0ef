import { spanOfDays } from '@/lib/daySpan';
import type { ListParams } from '@/lib/listParams';
import { actsFor } from './auditActs';

/** What is chosen, as the call takes it: days of the zone, both of them whole, and the acts with the chosen outcome. */
export function auditScope(params: ListParams, timeZone: string | undefined): ListParams {
  const { outcome, act = [], ...filters } = params.filters;
  return {
    ...params,
    filters: {
      ...filters,
      act: actsFor(act, outcome?.[0]),
      ...spanOfDays(filters, timeZone),
    },
  };
}
