import type { MasterDataKind } from '@/api/generated';
import type { Device } from '@/api/types';
import { THRESHOLDS, perUnitOf, unitOf } from '@/lib/thresholds';
import { choice, date, entities, entity, flag, number, text, type Field, type FilterOptions } from '@/resource/fields';
import { lazyPart } from '@/lib/lazyPart';
import { FUEL_TABLE } from './fuel/fuelTable';
import { PasswordNote } from './PasswordNote';
import { ThresholdInput } from './ThresholdInput';

interface EntryOptions {
  /** The list is narrowed by it. */
  filter?: boolean;
  /** The field with the brand, of a model. */
  brand?: string;
  resets?: readonly string[];
  fills?: Readonly<Record<string, string>>;
}

const several: FilterOptions = { multiple: true };

/** A field that names an entry of the master data: its column is a text of its own, with the name. */
const entry = (kind: MasterDataKind, { filter, brand, ...form }: EntryOptions = {}): Field<Device> =>
  entity<Device>({
    of: 'master-data',
    where: { kind },
    within: 'tenant_id',
    narrowedBy: brand ? { parent_id: brand } : undefined,
    label: `field.${kind}`,
    clearable: true,
    column: false,
    filter: filter ? several : undefined,
    form,
  });

/** What is chosen from the master data. */
export const ENTRIES: Record<string, Field<Device>> = {
  gps_model_id: entry('gps_model', {
    filter: true,
    brand: 'gps_brand_id',
    fills: { gps_brand_id: 'parent_id', gps_protocol_id: 'protocol_id' },
  }),
  gps_brand_id: entry('gps_brand', { filter: true, resets: ['gps_model_id'] }),
  gps_protocol_id: entry('gps_protocol'),
  vehicle_model_id: entry('vehicle_model', {
    filter: true,
    brand: 'vehicle_brand_id',
    fills: { vehicle_brand_id: 'parent_id', vehicle_type_id: 'vehicle_type_id', fuel_capacity: 'fuel_capacity' },
  }),
  vehicle_brand_id: entry('vehicle_brand', { filter: true, resets: ['vehicle_model_id'] }),
  vehicle_type_id: entry('vehicle_type', { fills: { icon_type: 'icon_type' } }),
  vehicle_status_id: entry('vehicle_status', { filter: true }),
  device_category_id: entry('device_category'),
  cargo_category_id: entry('cargo_category'),
  temperature_range_id: entry('temperature_range'),
  warehouse_id: entry('warehouse', { filter: true }),
  group_ids: entities<Device>({
    of: 'master-data',
    where: { kind: 'device_group' },
    within: 'tenant_id',
    label: 'field.groups',
    column: false,
    filter: { ...several, name: 'group_id' },
    form: {},
  }),
};

const name = (width: number) => text<Device>({ column: { optional: true, width } });
const typed = (width: number) => text<Device>({ column: { optional: true, width }, form: {} });
const amount = (unit: string, decimals = 0) =>
  number<Device>({ decimals, zeroIsUnknown: true, column: { optional: true, unit, width: 160 }, form: { unit } });

/** From what a meter is read. */
const source = (initial: 'device' | 'computed') =>
  choice<Device>({ values: ['device', 'computed'], column: { optional: true, width: 150 }, form: { initial } });

// Most people look at a device without its fuel sensor.
const FuelTableInput = lazyPart(async () => (await import('./fuel/FuelTableInput')).FuelTableInput);

/** How its fuel is read. */
const FUEL: Record<string, Field<Device>> = {
  fuel_source: choice<Device>({
    values: ['liter', 'percent', 'attribute'],
    column: { optional: true, width: 150 },
    form: { initial: 'liter' },
  }),
  fuel_attribute: text<Device>({
    column: { optional: true, width: 150 },
    form: { only: { fuel_source: 'attribute' }, required: ({ fuel_source: source }) => source === 'attribute' },
  }),
  fuel_table: text<Device>({ column: false, form: { pattern: FUEL_TABLE, Input: FuelTableInput } }),
};

/** What else is known of tracker and vehicle. */
export const FACTS: Record<string, Field<Device>> = {
  vehicle_brand: name(140),
  vehicle_model: name(170),
  vehicle_type: name(150),
  vehicle_status: name(150),
  device_category: name(150),
  groups: name(180),
  gps_brand: name(130),
  gps_model: name(160),
  gps_protocol: name(140),
  tracker_serial_number: typed(170),
  engine_number: typed(170),
  chassis_number: typed(190),
  license_expiry: date<Device>({ column: { optional: true, width: 160 }, form: {} }),
  capacity_volume: amount('unit.cubicMetres', 2),
  capacity_weight: amount('unit.kilograms'),
  cargo_category: name(160),
  temperature_range: name(150),
  has_hazmat_certificate: flag<Device>({ column: { optional: true, width: 140 }, form: {} }),
  warehouse: name(160),
  fuel_capacity: amount('unit.litres'),
  ...FUEL,
  maintenance_status: typed(180),
  wms_routing_profile: typed(180),
  allowed_zones: text<Device>({ column: false, form: {} }),
  odometer_source: source('device'),
  engine_hours_source: source('computed'),
  ignition_wire: choice<Device>({
    values: ['found', 'connected', 'absent'],
    column: { optional: true, width: 150 },
    form: { initial: 'found' },
  }),
};

/** Where it has others than its tenant. */
export const OWN_THRESHOLDS: Record<string, Field<Device>> = Object.fromEntries(
  THRESHOLDS.map((name) => [
    name,
    number<Device>({
      optional: true,
      per: perUnitOf(name),
      column: { optional: true, unit: `unit.${unitOf(name)}`, width: 160 },
      form: { Input: ThresholdInput },
    }),
  ]),
);

/** The tracker's password, which is only ever set, or taken away. */
export const SECRETS: Record<string, Field<Device>> = {
  password: text<Device>({ secret: true, column: false, form: { read: () => '', Below: PasswordNote } }),
  removes_password: flag<Device>({
    column: false,
    form: { read: () => false, allowed: (device) => device?.has_password === true },
  }),
};
