import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { Maintenance } from '@/api/generated';
import { MaintenanceBadge } from '@/components/MaintenanceBadge';
import { defineResource } from '@/resource/defineResource';
import { choice, date, entity, flag, instant, number, shown, text } from '@/resource/fields';
import { REMOVE } from '@/resource/useBulkActs';
import { CompleteAction } from './CompleteAction';
import { CompletionsPart } from './CompletionsPart';
import { DueCell, ExpectedCell, PriorityCell, StatusCell, VehicleCell } from './MaintenanceCells';
import { MaintenanceTabs } from './MaintenanceTabs';
import { sendMaintenance } from './sendMaintenance';
import { PriorityField, StatusField } from './WordField';
import { USUAL, useWordChoices } from './words';

const STATES = ['scheduled', 'due_soon', 'due', 'overdue', 'paused', 'done'] as const;
const TRIGGERS = ['any', 'schedule', 'mileage', 'engine_hours'] as const;
const ADDRESS = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\\-]+@[A-Za-z0-9.\\-]+\\.[A-Za-z0-9\\-]+";

/** In the form while these limits count. */
const by = (trigger: (typeof TRIGGERS)[number]) => ({ only: { trigger_mode: ['any', trigger] } });
const hidden = { column: { optional: true, width: 140 } } as const;

/** What is to be done to vehicles, and when. */
export default defineResource<Maintenance>({
  key: 'maintenance',
  fields: {
    title: text({ column: { fixed: true, width: 190 }, form: { first: true } }),
    tenant_id: entity({
      of: 'tenants',
      ability: 'platform_owner',
      column: { width: 125, file: ['tenant'] },
      filter: true,
      form: { required: true, newOnly: true, resets: ['device_id', 'group_id'] },
    }),
    device_name: text<Maintenance>({
      column: { width: 150, phone: 'below', Cell: VehicleCell, file: ['device_name', 'vehicle_code'] },
    }),
    target: choice({
      values: ['vehicle', 'group'],
      column: false,
      form: { newOnly: true, unsent: true, initial: 'vehicle' },
    }),
    device_id: entity({
      of: 'devices',
      within: 'tenant_id',
      column: false,
      filter: true,
      form: { newOnly: true, required: ({ target }) => target === 'vehicle', only: { target: 'vehicle' } },
    }),
    group_id: entity({
      of: 'master-data',
      where: { kind: 'device_group' },
      within: 'tenant_id',
      column: false,
      filter: true,
      form: { newOnly: true, required: ({ target }) => target === 'group', only: { target: 'group' } },
    }),
    state: choice<Maintenance>({
      values: STATES,
      column: { width: 172, phone: 'beside', Cell: MaintenanceBadge },
      filter: { multiple: true },
    }),
    due: shown<Maintenance>({
      column: { width: 170, phone: 'below', Cell: DueCell, file: ['due_date', 'due_odometer', 'due_engine_hours'] },
      cell: () => null,
    }),
    expected_on: date<Maintenance>({ column: { width: 135, Cell: ExpectedCell } }),
    status: text<Maintenance>({
      column: { width: 110, Cell: StatusCell },
      form: { initial: USUAL.status[0], Input: StatusField },
    }),
    status_filter: choice({
      values: USUAL.status,
      label: 'field.status',
      column: false,
      filter: { name: 'status', multiple: true },
    }),
    priority: text<Maintenance>({
      column: { optional: true, width: 110, Cell: PriorityCell },
      form: { initial: USUAL.priority[1], Input: PriorityField },
    }),
    priority_filter: choice({
      values: USUAL.priority,
      label: 'field.priority',
      column: false,
      filter: { name: 'priority', multiple: true },
    }),
    trigger_mode: choice({
      values: TRIGGERS,
      column: { optional: true, width: 170 },
      form: { initial: 'any', required: true },
    }),
    due_date: date({ column: false, form: by('schedule') }),
    interval_days: number({ zeroIsUnknown: true, ...hidden, form: { ...by('schedule'), unit: 'unit.days' } }),
    lead_days: number({ ...hidden, form: { ...by('schedule'), unit: 'unit.days', initial: 7 } }),
    due_odometer: number({ column: false, form: { ...by('mileage'), unit: 'unit.km' } }),
    interval_odometer: number({ zeroIsUnknown: true, ...hidden, form: { ...by('mileage'), unit: 'unit.km' } }),
    lead_odometer: number({ ...hidden, form: { ...by('mileage'), unit: 'unit.km', initial: 500 } }),
    due_engine_hours: number({ column: false, form: { ...by('engine_hours'), unit: 'unit.hours' } }),
    interval_engine_hours: number({
      zeroIsUnknown: true,
      ...hidden,
      form: { ...by('engine_hours'), unit: 'unit.hours' },
    }),
    lead_engine_hours: number({ ...hidden, form: { ...by('engine_hours'), unit: 'unit.hours', initial: 20 } }),
    last_done_on: date({ column: { optional: true, width: 140 } }),
    notification_emails: text({
      column: { optional: true, width: 220 },
      form: { pattern: `^$|^${ADDRESS}( *, *${ADDRESS})*$` },
    }),
    detail: text({ column: { optional: true, width: 240 }, form: { multiline: true } }),
    paused: flag({ column: { optional: true, width: 110 }, form: {} }),
    auto_generate_report: flag({ column: { optional: true, width: 130 }, form: {} }),
    created_at: instant({ column: { optional: true, width: 140 } }),
    updated_at: instant({ column: { optional: true, width: 140 } }),
    id: text({ column: { optional: true, width: 110 } }),
  },
  form: {
    sections: {
      task: ['title', 'tenant_id', 'target', 'device_id', 'group_id', 'status', 'priority', 'detail'],
      due: [
        'trigger_mode',
        'due_date',
        'interval_days',
        'lead_days',
        'due_odometer',
        'interval_odometer',
        'lead_odometer',
        'due_engine_hours',
        'interval_engine_hours',
        'lead_engine_hours',
      ],
      notices: ['notification_emails', 'auto_generate_report', 'paused'],
    },
    send: sendMaintenance,
    created: ({ target }, t) => (target === 'group' ? t('planned') : undefined),
    explain: (wrong, t) => {
      if (wrong.includes('title')) return t('validation.title_required');
      return wrong.includes('device_id') ? t('validation.device_id_required') : undefined;
    },
  },
  nameOf: ({ title }) => title,
  summary: [
    { name: 'total' },
    ...(['overdue', 'due', 'due_soon', 'scheduled', 'paused'] as const).map((name) => ({
      name,
      filter: { name: 'state', value: name },
    })),
  ],
  bulk: [
    { name: 'pause', icon: IconPlayerPause, right: 'update', act: { update: { paused: true } } },
    { name: 'resume', icon: IconPlayerPlay, right: 'update', act: { update: { paused: false } } },
    REMOVE,
  ],
  duplicate: { without: ['device_id', 'group_id'] },
  Subtitle: MaintenanceBadge,
  Above: CompleteAction,
  Toolbar: MaintenanceTabs,
  parts: {
    history: { ability: 'maintenance_log:list', Part: ({ row }) => <CompletionsPart maintenanceId={row.id} /> },
  },
  useFilterChoices: useWordChoices,
});
