import type { MasterDataKind } from '@/api/generated';

/** A kind that entries have. */
export type Kind = Exclude<MasterDataKind, 'unspecified'>;

/** The kinds, in the order of the tabs: the tracker, the vehicle, what it carries, where it belongs. */
export const KINDS: readonly Kind[] = [
  'gps_brand',
  'gps_model',
  'gps_protocol',
  'vehicle_brand',
  'vehicle_model',
  'vehicle_type',
  'vehicle_status',
  'device_category',
  'cargo_category',
  'temperature_range',
  'device_group',
  'warehouse',
];

/** What the parents of a kind are. */
const PARENTS: Partial<Record<Kind, Kind>> = {
  gps_model: 'gps_brand',
  vehicle_model: 'vehicle_brand',
  device_group: 'device_group',
};

/** Kinds whose entries belong to others or lie in others. */
export const WITH_PARENT = Object.keys(PARENTS) as Kind[];

/** Kinds whose entries must have a brand. */
export const OF_BRAND: readonly Kind[] = ['gps_model', 'vehicle_model'];

/** Kinds of which the platform has none. */
export const TENANTS_OWN: readonly Kind[] = ['device_group', 'warehouse'];

/** Which entries can be the parents of those of a kind. */
export const parentsOf = (kind: string): { kind: string } => ({ kind: PARENTS[kind as Kind] ?? '' });
