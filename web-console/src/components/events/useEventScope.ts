import { useSelector } from 'react-redux';
import { spanOfDays } from '@/lib/daySpan';
import type { ListParams } from '@/lib/listParams';
import { selectOtherUser, selectTimeZone } from '@/session/sessionSlice';

/** What is chosen, as the call takes it: days of the zone, both of them whole, and whose vehicles are looked at. */
export function useEventScope(params: ListParams): ListParams {
  const timeZone = useSelector(selectTimeZone);
  const userId = useSelector(selectOtherUser);
  const span = spanOfDays(params.filters, timeZone);
  return { ...params, filters: { ...params.filters, ...span, ...(userId !== null && { userId: [userId] }) } };
}
