import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { api } from '@/api/api';
import { selectConnection } from './connectionSlice';
import { live } from './live';

/** Keeps what is shown of events up to date: the live socket tells that there is news, at most every five seconds. */
export function useEventNews(): void {
  const dispatch = useDispatch<ThunkDispatch<unknown, unknown, UnknownAction>>();
  const { state: connection } = useSelector(selectConnection);

  useEffect(() => {
    // What happened while nobody was told.
    if (connection === 'connected') dispatch(api.util.invalidateTags(['events']));
  }, [dispatch, connection]);

  useEffect(() => live.onMessage('events_changed', () => dispatch(api.util.invalidateTags(['events']))), [dispatch]);
}
