import { IconCheck } from '@tabler/icons-react';
import type { Alarm } from '@/api/generated';
import { ALARM_NAMES } from '@/components/events/eventKinds';
import { useEventScope } from '@/components/events/useEventScope';
import { PeriodChooser } from '@/components/PeriodChooser';
import { alarmText } from '@/i18n/useAlarmName';
import { lazyPart } from '@/lib/lazyPart';
import { defineResource } from '@/resource/defineResource';
import { choice, entity, instant, number, shown, text } from '@/resource/fields';
import { AlarmDriver, AlarmKind, AlarmPlace, AlarmVehicle } from './AlarmCells';
import { SEVERITY_TONES } from './alarmTones';
import { AlarmView } from './AlarmView';

const AcknowledgeDialog = lazyPart(
  async () => (await import('@/components/alarms/AcknowledgeDialog')).AcknowledgeDialog,
);

const OPEN = ['open'];
const HANDLED = ['acknowledged'];

/** What somebody has to see to, and who has. */
export default defineResource<Alarm>({
  key: 'alarms',
  fields: {
    kind: choice<Alarm>({
      values: ALARM_NAMES,
      say: alarmText,
      column: { fixed: true, width: 190, Cell: AlarmKind },
      filter: { multiple: true },
    }),
    device_name: shown<Alarm>({
      column: { width: 160, phone: 'below', file: ['device_name'] },
      cell: (alarm) => alarm.device_name && <AlarmVehicle alarm={alarm} />,
    }),
    device_id: entity({ of: 'devices', label: 'field.device_name', column: false, filter: { multiple: true } }),
    driver: shown<Alarm>({
      column: { of: OPEN, width: 150 },
      cell: (alarm) => <AlarmDriver alarm={alarm} />,
    }),
    place: shown<Alarm>({
      column: { of: OPEN, width: 190, phone: 'below', file: [] },
      cell: (alarm) => <AlarmPlace alarm={alarm} />,
    }),
    first_at: instant({ column: { width: 115, phone: 'beside' } }),
    last_at: instant({ column: { of: OPEN, width: 115 } }),
    acknowledged_by: entity({
      of: 'users',
      ability: 'user:list',
      column: { of: HANDLED, width: 150, phone: 'below', file: ['acknowledged_by_name'] },
    }),
    reaction: shown<Alarm>({
      column: { of: HANDLED, width: 120, file: ['reaction_seconds'] },
      cell: ({ reaction_seconds: seconds }, { formats }) => seconds !== undefined && formats.duration(seconds),
    }),
    acknowledged_at: instant({ column: { of: HANDLED, optional: true, width: 150 } }),
    note: text({ column: { of: HANDLED, width: 190 } }),
    severity: choice({
      values: ['critical', 'warning'],
      tones: SEVERITY_TONES,
      column: { optional: true, width: 140 },
      filter: { multiple: true },
    }),
    count: number({ column: { optional: true, width: 100 } }),
    state: choice({ values: [...OPEN, ...HANDLED], column: false }),
    tenant_id: entity({
      of: 'tenants',
      ability: 'platform_owner',
      column: { width: 130, file: ['tenant'] },
      filter: true,
    }),
    id: text({ column: { optional: true, width: 110 } }),
  },
  split: { by: 'state', values: [...OPEN, ...HANDLED] },
  nameOf: ({ kind, device_name: vehicle }, texts) => `${alarmText(kind, texts)}, ${vehicle}`,
  bulk: [{ name: 'acknowledge', icon: IconCheck, ability: 'alarm:acknowledge', Dialog: AcknowledgeDialog }],
  // Vehicles raise them and others acknowledge them. The live socket tells of it; who has none is told within a minute.
  refetchOnVisit: true,
  pollSeconds: 60,
  // The days have a button of their own.
  params: ['from', 'to'],
  useScope: useEventScope,
  Form: AlarmView,
  Filters: PeriodChooser,
  extraFileColumns: ['lat', 'lng'],
});
