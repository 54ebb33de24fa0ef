import type { MasterDataEntry } from '@/api/generated';
import { SharesOf } from '@/components/SharesOf';
import { defineResource } from '@/resource/defineResource';
import { choice, entity, flag, instant, number, text } from '@/resource/fields';
import { REMOVE } from '@/resource/useBulkActs';
import { mayChange } from './entryRights';
import { KINDS, OF_BRAND, parentsOf, TENANTS_OWN, WITH_PARENT, type Kind } from './kinds';
import { Origin, PlatformNotice } from './Origin';
import { RemoveEntry } from './RemoveEntry';

const ICON_TYPES = ['car', 'van', 'pickup', 'truck', 'bus', 'motorcycle', 'heavy_equipment'] as const;

/** In the forms of these kinds. */
const only = (...kinds: readonly Kind[]) => ({ only: { kind: kinds } });

/** What the fields of devices choose from, kind by kind. */
export default defineResource<MasterDataEntry>({
  key: 'master-data',
  split: { by: 'kind', values: KINDS },
  fields: {
    kind: choice({
      values: KINDS,
      column: false,
      form: { newOnly: true, required: true, initial: KINDS[0], resets: ['parent_id'] },
    }),
    name: text({ column: { fixed: true, width: 190 }, form: { first: true } }),
    tenant_id: entity<MasterDataEntry>({
      of: 'tenants',
      ability: 'platform_owner',
      none: 'platform',
      clearable: true,
      column: { optional: true, width: 160, file: [] },
      filter: true,
      form: {
        newOnly: true,
        required: ({ kind }) => TENANTS_OWN.includes(kind as Kind),
        resets: ['parent_id', 'protocol_id', 'vehicle_type_id'],
      },
    }),
    parent: text({ column: { of: WITH_PARENT, width: 160, phone: 'below' } }),
    parent_id: entity({
      of: 'master-data',
      where: parentsOf,
      within: 'tenant_id',
      clearable: true,
      column: false,
      filter: { of: WITH_PARENT, multiple: true },
      form: { ...only(...WITH_PARENT), required: ({ kind }) => OF_BRAND.includes(kind as Kind) },
    }),
    protocol: text({ column: { of: ['gps_model'], width: 130, phone: 'below' } }),
    protocol_id: entity({
      of: 'master-data',
      label: 'field.protocol',
      where: { kind: 'gps_protocol' },
      within: 'tenant_id',
      clearable: true,
      column: false,
      form: only('gps_model'),
    }),
    port: number({
      zeroIsUnknown: true,
      column: { of: ['gps_model', 'gps_protocol'], width: 90 },
      form: only('gps_model', 'gps_protocol'),
    }),
    reports: text({ column: { of: ['gps_model'], width: 180 }, form: only('gps_model') }),
    vehicle_type: text({ column: { of: ['vehicle_model'], width: 170, phone: 'below' } }),
    vehicle_type_id: entity({
      of: 'master-data',
      label: 'field.vehicle_type',
      where: { kind: 'vehicle_type' },
      within: 'tenant_id',
      clearable: true,
      column: false,
      form: only('vehicle_model'),
    }),
    fuel_capacity: number({
      zeroIsUnknown: true,
      column: { of: ['vehicle_model'], unit: 'unit.litres', width: 160 },
      form: { ...only('vehicle_model'), unit: 'unit.litres' },
    }),
    icon_type: choice({
      values: ICON_TYPES,
      column: { of: ['vehicle_type'], width: 150, phone: 'below' },
      form: only('vehicle_type'),
    }),
    min_temperature: number({
      decimals: 1,
      column: { of: ['temperature_range'], unit: 'unit.celsius', width: 170 },
      form: { ...only('temperature_range'), unit: 'unit.celsius' },
    }),
    max_temperature: number({
      decimals: 1,
      column: { of: ['temperature_range'], unit: 'unit.celsius', width: 170 },
      form: { ...only('temperature_range'), unit: 'unit.celsius' },
    }),
    address: text({ column: { of: ['warehouse'], width: 280, phone: 'below' }, form: only('warehouse') }),
    // A place on the map has both or neither.
    lat: number({
      decimals: 6,
      optional: true,
      column: { of: ['warehouse'], optional: true, width: 120 },
      form: { ...only('warehouse'), required: ({ lng }) => lng !== '' },
    }),
    lng: number({
      decimals: 6,
      optional: true,
      column: { of: ['warehouse'], optional: true, width: 120 },
      form: { ...only('warehouse'), required: ({ lat }) => lat !== '' },
    }),
    description: text({ column: { width: 190 }, form: { multiline: true } }),
    is_own: flag<MasterDataEntry>({
      column: { width: 110, phone: 'beside', file: [], Cell: Origin },
      filter: { of: KINDS.filter((kind) => !TENANTS_OWN.includes(kind)) },
    }),
    created_at: instant({ column: { optional: true, width: 140 } }),
    updated_at: instant({ column: { optional: true, width: 140 } }),
    id: text({ column: { optional: true, width: 110 } }),
  },
  form: { readOnly: (entry, person) => !mayChange(entry, person) },
  nameOf: ({ label }) => label,
  bulk: [REMOVE],
  remove: { allowed: mayChange, Action: RemoveEntry },
  Above: PlatformNotice,
  parts: {
    shares: {
      ability: 'share_link:list',
      when: ({ kind }) => kind === 'device_group',
      Part: ({ row }) => <SharesOf groupId={row.id} />,
    },
  },
});
