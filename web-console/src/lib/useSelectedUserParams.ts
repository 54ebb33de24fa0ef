import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import { selectOtherUser } from '@/session/sessionSlice';
import type { ListParams } from './listParams';

/** The parameters of a list whose filter `userIds` says whose things are shown: those of the user that is looked at. */
export function useSelectedUserParams(params: ListParams): ListParams {
  const userId = useSelector(selectOtherUser);
  return useMemo(
    () => (userId === null ? params : { ...params, filters: { ...params.filters, userIds: [userId] } }),
    [params, userId],
  );
}
