import { useCallback, useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { api, positionsIn } from '@/api/api';
import { isApiError } from '@/api/errors';
import { selectSession } from '@/session/sessionSlice';
import { LiveConnection, TicketError } from './connection';
import { connectionChanged } from './connectionSlice';
import { liveStore } from './liveStore';
import { fromLastPosition, positionIn } from './position';

type Dispatch = ThunkDispatch<unknown, unknown, UnknownAction>;

/**
 * Keeps the live connection of a screen open and its positions in the live store. Whose devices are sent follows the
 * selected user. `subscribedTo` names the device of which every change is wanted.
 */
export function useLiveConnection(context: 'maps', subscribedTo: string | null): { reconnect: () => void } {
  const dispatch = useDispatch<Dispatch>();
  const { selectedUserId, claims } = useSelector(selectSession);
  const narrowedTo = selectedUserId === claims?.userId ? null : selectedUserId;
  const connection = useRef<LiveConnection | null>(null);
  const subscription = useRef<string | null>(null);

  useEffect(() => {
    const live = new LiveConnection({
      ticket: () => fetchTicket(dispatch),
      open: (ticket) => new WebSocket(socketAddress(ticket, selectedUserId, context)),
      onStatus: (status) => dispatch(connectionChanged(status)),
      onOpen: () => {
        if (subscription.current) live.send(subscribe(subscription.current));
        void takeSnapshot(dispatch, narrowedTo);
      },
      onMessage: (message) => {
        const change = positionIn(message);
        if (change) liveStore.apply(change);
      },
    });
    connection.current = live;
    const onOnline = () => live.retryNow();
    window.addEventListener('online', onOnline);
    live.connect();
    return () => {
      window.removeEventListener('online', onOnline);
      live.disconnect('user_switch');
    };
  }, [dispatch, selectedUserId, narrowedTo, context]);

  useEffect(() => {
    subscription.current = subscribedTo;
    if (!subscribedTo) return;
    connection.current?.send(subscribe(subscribedTo));
    return () => connection.current?.send(unsubscribe(subscribedTo));
  }, [subscribedTo]);

  return { reconnect: useCallback(() => connection.current?.reconnect(), []) };
}

const subscribe = (id: string) => ({ type: 'subscribe_devices', payload: { device_ids: [id] } });
const unsubscribe = (id: string) => ({ type: 'unsubscribe_devices', payload: { device_ids: [id] } });

function socketAddress(ticket: string, userId: string | null, context: string): string {
  const address = new URL('/ws', window.location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  address.searchParams.set('token', ticket);
  address.searchParams.set('userId', userId ?? '');
  address.searchParams.set('context', context);
  return address.href;
}

async function fetchTicket(dispatch: Dispatch): Promise<string> {
  const answer = await dispatch(api.endpoints.wsTicket.initiate());
  if (answer.data?.ticket) return answer.data.ticket;
  const status = isApiError(answer.error) ? answer.error.status : 0;
  throw new TicketError(status === 0 ? 'network' : status >= 500 ? 'server_error' : 'policy');
}

/** Pushes that came before the snapshot win where they are newer: the store compares the times. */
async function takeSnapshot(dispatch: Dispatch, userId: string | null): Promise<void> {
  const query = api.endpoints.lastPositions.initiate(
    { userId: userId ?? undefined },
    { subscribe: false, forceRefetch: true },
  );
  const answer = await dispatch(query);
  for (const raw of positionsIn(answer.data)) {
    const change = fromLastPosition(raw);
    if (change) liveStore.apply(change);
  }
}
