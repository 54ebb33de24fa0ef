import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { liveApi } from '@/api/calls/live';
import { isApiError } from '@/api/errors';
import { can } from '@/session/abilities';
import { selectOtherUser, selectPerson, selectSession } from '@/session/sessionSlice';
import { TicketError } from './connection';
import { connectionChanged } from './connectionSlice';
import { live } from './live';

type Dispatch = ThunkDispatch<unknown, unknown, UnknownAction>;

/** Whether this person may see live positions at all. */
export const useCanWatchLive = (): boolean => can('position:live', useSelector(selectPerson));

/**
 * Holds the live session while the shell is there: every screen of it shares the one connection. Whose devices are told of
 * follows the selected user; who may not watch has none.
 */
export function useLiveSession(): void {
  const dispatch = useDispatch<Dispatch>();
  const { token, user } = useSelector(selectSession);
  const userId = useSelector(selectOtherUser) ?? user?.id ?? null;
  const mayWatch = useCanWatchLive();
  const isSignedIn = token !== null;

  useEffect(() => {
    // Who may not watch any more keeps nothing of what was told.
    if (isSignedIn && !mayWatch) live.clear();
    if (!isSignedIn || !mayWatch) return;
    const retry = () => live.retryNow();
    window.addEventListener('online', retry);
    live.start({
      userId,
      ticket: () => fetchTicket(dispatch),
      onStatus: (status) => dispatch(connectionChanged(status)),
    });
    return () => {
      window.removeEventListener('online', retry);
      live.stop('manual');
      // The worker would say so to nobody.
      dispatch(connectionChanged({ state: 'disconnected', problem: null }));
    };
  }, [dispatch, isSignedIn, mayWatch, user?.id, userId]);
}

async function fetchTicket(dispatch: Dispatch): Promise<string> {
  const answer = await dispatch(liveApi.endpoints.wsTicket.initiate());
  if (answer.data?.ticket) return answer.data.ticket;
  const status = isApiError(answer.error) ? answer.error.status : 0;
  throw new TicketError(status === 0 ? 'network' : status >= 500 ? 'server_error' : 'policy');
}
