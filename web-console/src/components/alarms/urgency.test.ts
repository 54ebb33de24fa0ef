import { describe, expect, it } from 'vitest';
import type { Alarm } from '@/api/generated';
import { runningTime } from './elapsed';
import { byUrgency } from './urgency';

const at = '2026-11-21T10:00:00Z';
const alarm = (kind: string, severity: Alarm['severity'], first_at: string): Alarm => ({
  id: `${kind} ${first_at}`,
  tenant_id: 'tenant-1',
  device_id: 'device-1',
  device_name: 'Truk 2',
  kind,
  severity,
  state: 'open',
  first_at,
  last_at: first_at,
  count: 1,
  note: '',
  first_event_id: '',
  last_event_id: '',
  row_version: 1,
});

describe('alarms in the order of what they ask', () => {
  it('has people before things, what is critical before warnings, and of equals the newest in front', () => {
    const ordered = byUrgency([
      alarm('alarm.door', 'warning', '2026-11-21T12:00:00Z'),
      alarm('device.power_cut', 'critical', '2026-11-21T11:00:00Z'),
      alarm('alarm.sos', 'critical', '2026-11-21T08:00:00Z'),
      alarm('alarm.accident', 'critical', '2026-11-21T09:00:00Z'),
    ]);
    expect(ordered.map(({ kind }) => kind)).toEqual(['alarm.accident', 'alarm.sos', 'device.power_cut', 'alarm.door']);
  });
});

describe('how long an alarm stands', () => {
  const duration = (seconds: number) => `${seconds} s`;
  it.each([
    // The clock of a tracker may be ahead.
    [-5, '0:00'],
    [12, '0:12'],
    [754, '12:34'],
    [3_599, '59:59'],
    [3_600, '3600 s'],
  ])('after %d seconds is %s', (seconds, text) => {
    expect(runningTime(at, Date.parse(at) + seconds * 1_000, duration)).toBe(text);
  });
});
