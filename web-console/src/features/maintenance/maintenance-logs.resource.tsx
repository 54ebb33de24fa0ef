import type { MaintenanceLog } from '@/api/generated';
import { FilesField } from '@/components/files/FilesField';
import { defineResource } from '@/resource/defineResource';
import { date, entity, flag, instant, money, number, text } from '@/resource/fields';
import { REMOVE } from '@/resource/useBulkActs';
import { CurrencyNote } from './CurrencyNote';
import { LateCell, VehicleCell } from './MaintenanceCells';
import { MaintenanceTabs } from './MaintenanceTabs';

/** What is still exact in the minor unit. */
const COST_MAX = 90_000_000_000_000;

/** What was completed of maintenance: when, where and for how much. */
export default defineResource<MaintenanceLog>({
  key: 'maintenance-logs',
  fields: {
    title: text({ column: { fixed: true, width: 170 } }),
    tenant_id: entity({
      of: 'tenants',
      ability: 'platform_owner',
      column: { width: 95, file: ['tenant'] },
      filter: true,
      form: { required: true, newOnly: true, resets: ['maintenance_id', 'file_ids'] },
    }),
    device_name: text<MaintenanceLog>({
      column: { width: 145, phone: 'below', Cell: VehicleCell, file: ['device_name', 'vehicle_code'] },
    }),
    maintenance_id: entity({
      of: 'maintenance',
      within: 'tenant_id',
      column: false,
      form: { newOnly: true, required: true },
    }),
    device_id: entity({ of: 'devices', column: false, filter: true }),
    done_on: date({ column: { width: 125, phone: 'below' }, form: {} }),
    is_late: flag<MaintenanceLog>({
      column: { label: 'field.punctuality', width: 165, phone: 'beside', Cell: LateCell },
      filter: true,
    }),
    cost: money<MaintenanceLog>({
      currency: 'currency',
      column: { width: 110, file: ['cost', 'currency'] },
      form: { max: COST_MAX, integer: false },
    }),
    currency: text({ column: false, form: { newOnly: true, unsent: true, Input: CurrencyNote } }),
    vendor: text({ column: { width: 130 }, form: {} }),
    odometer: number({
      optional: true,
      zeroIsUnknown: true,
      column: { unit: 'unit.km', width: 110 },
      form: { unit: 'unit.km' },
    }),
    engine_hours: number({
      optional: true,
      zeroIsUnknown: true,
      column: { optional: true, unit: 'unit.hours', width: 130 },
      form: { unit: 'unit.hours' },
    }),
    parts: text({ column: { optional: true, width: 220 }, form: { multiline: true } }),
    notes: text({ column: { optional: true, width: 220 }, form: { multiline: true } }),
    file_ids: text<MaintenanceLog>({
      label: 'field.files',
      column: false,
      form: { read: ({ files = [] }) => files.map(({ id }) => id).join(','), Input: FilesField },
    }),
    created_at: instant({ column: { optional: true, width: 140 } }),
    updated_at: instant({ column: { optional: true, width: 140 } }),
    id: text({ column: { optional: true, width: 110 } }),
  },
  form: {
    sections: {
      done: ['tenant_id', 'maintenance_id', 'done_on', 'odometer', 'engine_hours'],
      work: ['vendor', 'cost', 'currency', 'parts', 'notes'],
      files: ['file_ids'],
    },
  },
  nameOf: ({ title }) => title,
  bulk: [REMOVE],
  Subtitle: LateCell,
  Toolbar: MaintenanceTabs,
});
