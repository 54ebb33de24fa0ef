import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { api } from '@/api/api';
import { isApiError } from '@/api/errors';
import { can } from '@/session/abilities';
import { selectOtherUser, selectPerson, selectSession } from '@/session/sessionSlice';
import { TicketError, type ConnectionStatus } from './connection';
import { connectionChanged, selectConnection } from './connectionSlice';
import { resetLive, acquireConnection, isConnectionInUse, releaseConnection } from './sharedConnection';
import { live } from './live';

type Dispatch = ThunkDispatch<unknown, unknown, UnknownAction>;

/** Whether this person may see live positions at all. */
export const useCanWatchLive = (): boolean => can('position:live', useSelector(selectPerson));

/**
 * Holds the live connection while a screen is open, and says how it is. Whose devices are told of follows the selected
 * user; who may not watch has none. `useLiveDevice` then knows every device that this user sees.
 */
export function useLiveConnection(): ConnectionStatus & { reconnect: () => void } {
  const dispatch = useDispatch<Dispatch>();
  const { token, user } = useSelector(selectSession);
  const otherUserId = useSelector(selectOtherUser);
  const selectedUserId = otherUserId ?? user?.id ?? null;
  const mayWatch = useCanWatchLive();
  const isSignedIn = token !== null;
  const viewer = isSignedIn && mayWatch ? `${user?.id ?? ''} ${selectedUserId ?? ''}` : null;

  useEffect(() => {
    if (viewer === null) {
      // Who may not watch any more keeps nothing of what was told, and asks for no further ticket.
      if (isSignedIn && isConnectionInUse()) resetLive();
      return;
    }
    acquireConnection(viewer, () =>
      live.start({
        userId: selectedUserId,
        ticket: () => fetchTicket(dispatch),
        onStatus: (status) => dispatch(connectionChanged(status)),
      }),
    );
    return () => releaseConnection();
  }, [dispatch, viewer, selectedUserId, isSignedIn]);

  return { ...useSelector(selectConnection), reconnect };
}

const reconnect = () => live.reconnect();

async function fetchTicket(dispatch: Dispatch): Promise<string> {
  const answer = await dispatch(api.endpoints.wsTicket.initiate());
  if (answer.data?.ticket) return answer.data.ticket;
  const status = isApiError(answer.error) ? answer.error.status : 0;
  throw new TicketError(status === 0 ? 'network' : status >= 500 ? 'server_error' : 'policy');
}
