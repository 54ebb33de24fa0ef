import { useSelector } from 'react-redux';
import { spanOfDays } from '@/lib/daySpan';
import type { ListParams } from '@/lib/listParams';
import { selectOtherUser, selectTimeZone } from '@/session/sessionSlice';
import { useVehicleSearch } from './useVehicleSearch';

/** What is chosen, as the call takes it: vehicles, days of the zone, both of them whole, and whose vehicles are looked at. */
export function useEventScope(given: ListParams): ListParams {
  const params = useVehicleSearch(given);
  const timeZone = useSelector(selectTimeZone);
  const userId = useSelector(selectOtherUser);
  const span = spanOfDays(params.filters, timeZone);
  return { ...params, filters: { ...params.filters, ...span, ...(userId !== null && { userId: [userId] }) } };
}
