import type * as generated from './generated';
import type { Threshold } from '@/lib/thresholds';

/**
 * A message as the server sends it: every field is there except those that the protocol marks optional. The OpenAPI
 * document cannot say that, because the same message is also read with fields left out.
 */
type Sent<T, Optional extends keyof T = never> = {
  [K in Exclude<keyof T, Optional>]-?: NonNullable<T[K]>;
} & { [K in Optional]?: T[K] };

/** A device as the server sends it. */
export type Device = Sent<
  generated.Device,
  | 'user_id'
  | 'primary_driver_id'
  | 'gps_brand_id'
  | 'gps_model_id'
  | 'gps_protocol_id'
  | 'vehicle_brand_id'
  | 'vehicle_model_id'
  | 'vehicle_status_id'
  | 'vehicle_type_id'
  | 'device_category_id'
  | 'cargo_category_id'
  | 'temperature_range_id'
  | 'warehouse_id'
  | 'deleted_at'
  | 'deleted_by'
  | 'erase_after'
  | Threshold
>;
/** A driver as the server sends it. */
export type Driver = Sent<generated.Driver>;
/** A tenant as the server sends it. */
export type Tenant = Sent<generated.Tenant, 'deleted_at' | 'erase_after'>;
/** A user as the server sends it. */
export type User = Sent<generated.User, 'tenant_id' | 'tenant_name' | 'last_login'>;
/** A claim on an IMEI as the server sends it. */
export type ImeiClaim = Sent<
  generated.ImeiClaim,
  'decided_at' | 'claimed_by' | 'decided_by' | 'holder' | 'assigned_tenant_id' | 'heard'
> & { holder?: Sent<generated.ImeiHolder>; heard?: Sent<generated.ImeiHeard> };
/** A promise of an IMEI as the server sends it. */
export type ImeiAssignment = Sent<generated.ImeiAssignment>;
/** A view of a list that somebody has saved. */
export type SavedView = Sent<generated.SavedView, 'tenant_id' | 'user_id' | 'user_name'>;
/** A count of refused positions. */
export type Rejection = Sent<generated.Rejection>;
/** A refused message. */
export type RejectedMessage = Sent<generated.RejectedMessage>;

/** One page of a list. */
export interface Page<T> {
  items: T[];
  /** As far as they were counted. */
  total: number;
  /** There are more than that. */
  more_than_total?: boolean;
  /** Where the next page begins; absent at the end. */
  next?: string;
}
