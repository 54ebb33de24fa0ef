import { useEffect, useRef } from 'react';
import type { Alarm, AlarmSeverity } from '@/api/generated';
import { hear, type Heard } from './arrivals';
import { useOpenAlarms } from './useOpenAlarms';

/** Calls back with those alarms that were not there before, each of them once. */
export function useArrivals(severity: AlarmSeverity, onArrived: (arrived: readonly Alarm[]) => void): void {
  const { alarms, count = 0 } = useOpenAlarms(severity) ?? {};
  const heard = useRef<Heard | null>(null);
  const latest = useRef(onArrived);
  useEffect(() => {
    latest.current = onArrived;
  });
  useEffect(() => {
    if (!alarms) return;
    const now = hear(heard.current, alarms, count);
    heard.current = now.heard;
    if (now.arrived.length > 0) latest.current(now.arrived);
  }, [alarms, count]);
}
