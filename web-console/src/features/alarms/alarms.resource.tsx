import { IconCheck } from '@tabler/icons-react';
import type { Alarm } from '@/api/generated';
import { ALARM_NAMES } from '@/components/events/eventKinds';
import { useEventScope } from '@/components/events/useEventScope';
import { PeriodChooser } from '@/components/PeriodChooser';
import { alarmText } from '@/i18n/useAlarmName';
import { lazyPart } from '@/lib/lazyPart';
import { defineResource } from '@/resource/defineResource';
import { choice, entity, instant, number, shown, text } from '@/resource/fields';
import { AlarmKind, AlarmPlace, AlarmSubtitle, AlarmVehicle } from './AlarmCells';
import { SEVERITY_TONES, STATE_TONES } from './alarmTones';
import { AlarmView } from './AlarmView';

const AcknowledgeDialog = lazyPart(
  async () => (await import('@/components/alarms/AcknowledgeDialog')).AcknowledgeDialog,
);

/** What somebody has to see to, and who has. */
export default defineResource<Alarm>({
  key: 'alarms',
  fields: {
    kind: choice<Alarm>({
      values: ALARM_NAMES,
      say: alarmText,
      column: { fixed: true, width: 210, Cell: AlarmKind },
      filter: { multiple: true },
    }),
    severity: choice({
      values: ['critical', 'warning'],
      tones: SEVERITY_TONES,
      column: { width: 140, phone: 'beside' },
      filter: { multiple: true },
    }),
    device_name: shown<Alarm>({
      column: { width: 180, phone: 'below', file: ['device_name'] },
      cell: (alarm) => alarm.device_name && <AlarmVehicle alarm={alarm} />,
    }),
    device_id: entity({ of: 'devices', label: 'field.device_name', column: false, filter: { multiple: true } }),
    state: choice({
      values: ['open', 'acknowledged'],
      tones: STATE_TONES,
      column: { width: 180, phone: 'below' },
      filter: { multiple: true },
    }),
    first_at: instant({ column: { width: 140 } }),
    last_at: instant({ column: { width: 140, phone: 'below' } }),
    count: number({ column: { width: 100 } }),
    place: shown<Alarm>({
      column: { optional: true, width: 190, file: ['lat', 'lng'] },
      cell: (alarm) => <AlarmPlace alarm={alarm} />,
    }),
    acknowledged_by: entity({
      of: 'users',
      ability: 'user:list',
      column: { width: 160, file: ['acknowledged_by_name'] },
    }),
    acknowledged_at: instant({ column: { width: 150 } }),
    reaction: shown<Alarm>({
      column: { width: 140, file: ['reaction_seconds'] },
      cell: ({ reaction_seconds: seconds }, { formats }) => seconds !== undefined && formats.duration(seconds),
    }),
    note: text({ column: { optional: true, width: 220 } }),
    tenant_id: entity({
      of: 'tenants',
      ability: 'platform_owner',
      column: { width: 130, file: ['tenant'] },
      filter: true,
    }),
    id: text({ column: { optional: true, width: 110 } }),
  },
  nameOf: ({ kind }, texts) => alarmText(kind, texts),
  bulk: [{ name: 'acknowledge', icon: IconCheck, ability: 'alarm:acknowledge', Dialog: AcknowledgeDialog }],
  // Vehicles raise them and others acknowledge them. The live socket tells of it; who has none is told within a minute.
  refetchOnVisit: true,
  pollSeconds: 60,
  // The days have controls of their own.
  params: ['from', 'to'],
  useScope: useEventScope,
  Form: AlarmView,
  Subtitle: AlarmSubtitle,
  Toolbar: PeriodChooser,
});
