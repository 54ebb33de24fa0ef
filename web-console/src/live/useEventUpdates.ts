import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { api } from '@/api/api';
import { endWaitForLive } from '@/api/untilLive';
import { selectConnection } from './connectionSlice';
import { live } from './live';

/** What the socket tells of: events, and the alarms that they raise or that somebody has acknowledged. */
const EVENT_TAGS = ['events', 'alarms'] as const;

/** Keeps what is shown of events and alarms up to date: the live socket notifies of changes, at most every five seconds. */
export function useEventUpdates(): void {
  const dispatch = useDispatch<ThunkDispatch<unknown, unknown, UnknownAction>>();
  const { state: connection } = useSelector(selectConnection);

  useEffect(() => {
    if (connection === 'connecting' || connection === 'disconnected') return;
    const nothingMissed = endWaitForLive();
    // What happened while nobody was told.
    if (connection === 'connected' && !nothingMissed) dispatch(api.util.invalidateTags([...EVENT_TAGS]));
  }, [dispatch, connection]);

  useEffect(
    () => live.onMessage('events_changed', () => dispatch(api.util.invalidateTags([...EVENT_TAGS]))),
    [dispatch],
  );
}
