// Made by contract.mjs from openapi.json. Do not edit.

export type Locale = 'unspecified' | 'id' | 'en' | 'zh' | 'jv';
export type Profile = {
  name: string;
  email: string;
  phone: string;
  locale: Locale;
  has_totp: boolean;
  /** Recovery codes that were not used yet. */
  recovery_codes_left: number;
  /** Without one, the user signs in by the provider alone until they choose a password by a link. */
  has_password: boolean;
};
export type ApiError = {
  /** For programs, e.g. `not_found`. */
  error: string;
  /** For people, in the language of `Accept-Language`. */
  message: string;
  /** What is wrong with each field, by its name. */
  fields?: {
    [key: string]: string;
  };
  /** What has the value already that is wanted, if it is something of one's own. */
  conflicting?: {
    id: string;
    name: string;
  };
  /** The limit that was reached, if one was. */
  limit?: number;
};
export type ProfileInput = {
  name?: string | null;
  phone?: string | null;
  locale?: Locale | null;
};
export type ChangePasswordRequest = {
  current_password?: string;
  /** 8 to 128 characters. */
  new_password?: string;
};
export type Preference = {
  key: string;
  /** As the console wrote it; absent while nothing is chosen. */
  value?: object;
};
export type PreferenceInput = {
  /** Up to 4096 bytes. */
  value?: object | null;
};
export type ReauthenticationRequest = {
  /** Who has none leaves it empty, and must have signed in within five minutes. */
  password?: string;
  /** Six digits of the authenticator, or a recovery code; needed when the user has a second factor. */
  code?: string | null;
};
export type RecoveryCodes = {
  codes: string[];
};
export type AccountSession = {
  id: string;
  /** As the client calls itself. */
  user_agent: string;
  /** From where it was used last. */
  address: string;
  created_at: string;
  last_used_at: string;
  /** The one that asks. */
  is_current: boolean;
};
export type AccountSessionList = {
  items: AccountSession[];
  total: number;
};
export type TotpSetup = {
  /** Base32, for typing. */
  secret: string;
  /** `otpauth://totp/…`, for an authenticator that scans it. */
  uri: string;
  /** The same as a QR code, SVG. */
  qr_svg: string;
};
export type ConfirmTotpRequest = {
  code?: string;
};
export type SafeInteger = number;
export type AlarmName = {
  id: string;
  /** As in the kind of its events: `kabin_3` of `alarm.kabin_3`. */
  name: string;
  /** The kind of event that such alarms are from when it was set on, e.g. `alarm.sos`; `none` for no event at all, `as_told`
    while they are told by their names, as warnings. */
  event: string;
  /** How often it was heard. */
  count: SafeInteger;
  /** When the first such alarm happened, and the last. */
  first_heard_at: string;
  last_heard_at: string;
  created_at: string;
  updated_at: string;
  row_version: number;
};
export type AlarmNameList = {
  items: AlarmName[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type AlarmNameInput = {
  /** One of the kinds that trackers' alarms have, `none`, or `as_told`. */
  event?: string | null;
};
export type AlarmSeverity = 'unspecified' | 'critical' | 'warning';
export type AlarmState = 'unspecified' | 'open' | 'acknowledged';
export type Alarm = {
  severity: AlarmSeverity;
  /** The kind of its events, e.g. `alarm.sos`. */
  kind: string;
  device_id: string;
  /** The name that the vehicle has now. */
  device_name: string;
  state: AlarmState;
  /** When the first of its events happened. */
  first_at: string;
  /** When the last of them happened. */
  last_at: string;
  /** How many there were. */
  count: number;
  /** Where the vehicle was at the last of them, degrees of WGS 84; absent when nobody knows. */
  lat?: number;
  lng?: number;
  /** When it was acknowledged. */
  acknowledged_at?: string;
  /** The user who did; absent when a program of ours did. */
  acknowledged_by?: string;
  /** What they said of it. */
  note: string;
  /** Seconds from its first event until it was acknowledged. */
  reaction_seconds?: number;
  /** The events themselves, of `/api/v1/events`. */
  first_event_id: string;
  last_event_id: string;
  tenant_id: string;
  /** That of the event that opened it. */
  id: string;
  row_version: number;
};
export type AlarmList = {
  items: Alarm[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type AcknowledgedAlarms = {
  /** Those of the alarms that the caller sees, as they are now: those that somebody else had acknowledged before, too. */
  items: Alarm[];
};
export type AcknowledgeAlarmsRequest = {
  /** These alarms, at most 500. */
  ids?: string[];
  /** All that stand of this vehicle, besides. */
  device_id?: string | null;
  /** What there is to say of all of them. */
  note?: string;
};
export type AcknowledgeAlarmInput = {
  /** What there is to say of it. It stays with the alarm; whoever acknowledges one that was acknowledged changes nothing. */
  note?: string;
};
export type AuditEntry = {
  id: string;
  /** Place in its chain, from 1. */
  seq: SafeInteger;
  at: string;
  /** Absent for what belongs to no tenant. */
  tenant_id?: string;
  /** Who did it; absent for services and for who is not signed in. */
  actor_id?: string;
  /** Their name then, or the name of the service. */
  actor_name: string;
  /** From where, if known. */
  address: string;
  /** `<module>:<act>`, e.g. `device:update`, `session:login`, `session:login_failed`, `access:denied`. */
  act: string;
  /** What kind of thing it was done to, e.g. `device`; empty for none. */
  object_kind: string;
  object_id: string;
  /** Its name then. */
  object_name: string;
  /** The fields that changed, as they were; absent for what was not there. */
  before?: object;
  /** The fields that changed, as they are now; absent for what is gone. */
  after?: object;
  /** SHA-256 in hexadecimal over the entry and the hash before it. */
  hash: string;
  /** Of a tenant that is erased: names, addresses and changes are gone, what the hash was made of cannot be seen any more. */
  erased: boolean;
};
export type AuditList = {
  items: AuditEntry[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type AuditDefect = 'unspecified' | 'changed' | 'missing' | 'cut_off';
export type AuditVerification = {
  /** Entries that were read, those of the answers before among them. */
  checked: SafeInteger;
  /** Absent while nothing is wrong. */
  defect?: AuditDefect;
  /** The first place that is wrong. */
  defect_seq?: SafeInteger;
  verified_at: string;
  /** The last entry there is now. */
  last_seq: SafeInteger;
  /** The hash of the last entry that was read, when there are more to read; absent at the end, and at a defect. */
  next_hash?: string;
};
export type SessionUser = {
  id: string;
  user_id: string;
  tenant_id?: string;
  /** The same as `tenant_id`, for clients that read this spelling. */
  tenantId?: string;
  name: string;
  email: string;
  /** Names; they grant nothing by themselves. */
  roles: string[];
  is_platform_owner: boolean;
  is_tenant_admin: boolean;
  is_subscription_user: boolean;
  /** Grows with every change of what the user may do. */
  policy_version: number;
  /** The tenant's, by IANA name: dates are shown in it. Absent for platform owners, who belong to no tenant. */
  time_zone?: string;
  /** What the user sees is made up: their tenant is the demonstration's. */
  is_demo: boolean;
  /** What the user may do, by the keys of the catalogue. */
  permissions: string[];
  /** Absent for platform owners. */
  tenant_name?: string;
  locale: Locale;
  /** The user must set up a second factor before anything else: the platform asks it of owners and admins. */
  must_set_up_totp: boolean;
  /** The password was set by somebody else, or made by the program: the user must change it before anything else. */
  must_change_password: boolean;
};
export type CommandKind =
  | 'unspecified'
  | 'engine_stop'
  | 'engine_resume'
  | 'position_single'
  | 'position_periodic'
  | 'alarm_arm'
  | 'alarm_disarm'
  | 'output_control'
  | 'request_status'
  | 'reboot'
  | 'custom';
export type CommandState =
  | 'unspecified'
  | 'awaiting_consent'
  | 'queued'
  | 'sent'
  | 'delivered'
  | 'acknowledged'
  | 'failed'
  | 'expired'
  | 'cancelled'
  | 'unknown';
export type CommandReason =
  | 'unspecified'
  | 'not_connected'
  | 'not_standing'
  | 'unsupported'
  | 'refused'
  | 'no_answer'
  | 'consent_refused'
  | 'not_carried_out'
  | 'superseded';
export type Command = {
  id: string;
  tenant_id: string;
  device_id: string;
  /** What the device is called. */
  device_name: string;
  kind: CommandKind;
  state: CommandState;
  /** Why it waits or failed; absent when there is nothing to say. */
  state_reason: CommandReason;
  /** What the tracker said. */
  answer: string;
  /** Why it was sent, in the words of who sent it. */
  reason: string;
  /** Who sent it. */
  user_id: string;
  /** Who agreed to it, refused it, took it back or decided what became of it. */
  decided_by?: string;
  /** Of `position_periodic`: 1 to 86,400; otherwise 0. */
  interval_seconds: number;
  /** Of `output_control`: 1 to 4; otherwise 0. */
  output: number;
  output_on: boolean;
  /** Of `custom`. */
  text: string;
  created_at: string;
  /** From then on it is not sent any more. */
  expires_at: string;
  sent_at?: string;
  answered_at?: string;
  updated_at: string;
  /** The gateway that it was handed over to; empty before. */
  gateway: string;
  /** The IMEI that it was sent to. */
  imei: string;
  /** The command that is sent once more with this one. */
  repeats?: string;
  row_version: number;
};
export type CommandList = {
  items: Command[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type SentCommand = {
  device_id: string;
  /** The command; absent when there is none. */
  command?: Command;
  /** The code of the error, as if the command had been sent alone; empty when there is none. */
  error: string;
};
export type SentCommandList = {
  items: SentCommand[];
  succeeded: number;
  failed: number;
};
export type CommandInput = {
  /** A device that the caller sees, as owner, technician or admin; from the path. */
  device_id?: string;
  kind?: CommandKind;
  /** Why; required to stop an engine. */
  reason?: string | null;
  /** Of `position_periodic`. */
  interval_seconds?: number;
  /** Of `output_control`. */
  output?: number;
  output_on?: boolean;
  /** Of `custom`; needs the permission `command:raw`. */
  text?: string | null;
  /** How long it may wait: a day when absent, at most a week. */
  expires_in_seconds?: number;
  /** A command of the same device that has come to its end, and is sent once more. */
  repeats?: string | null;
  /** A UUID that whoever asks makes up for each command that they want to send: asked again, it answers with the command that
    is there already, and nothing is sent twice. Good for one device, of one user. */
  request_id?: string | null;
};
export type SendCommandsRequest = {
  /** At most 500. */
  device_ids: string[];
  /** What is sent to each; its device is not looked at. */
  command: CommandInput;
};
export type ConsentCommandRequest = {
  /** False to refuse. */
  agrees?: boolean;
};
export type ResolveCommandRequest = {
  /** Whether the tracker did it. */
  carried_out?: boolean;
};
export type DeviceMemberRole = 'unspecified' | 'owner' | 'viewer' | 'technician';
export type DeviceMemberStatus = 'unspecified' | 'active' | 'ended';
export type DeviceMember = {
  id: string;
  tenant_id: string;
  device_id: string;
  user_id: string;
  /** What the device is called. */
  device_name: string;
  /** The device's number plate, or the fleet's own code of it. */
  vehicle_code: string;
  imei: string;
  role: DeviceMemberRole;
  /** The last day on which the link holds, in the tenant's time zone; empty when it does not end. */
  ends_on: string;
  status: DeviceMemberStatus;
  created_at: string;
  updated_at: string;
  row_version: number;
};
export type DeviceMemberList = {
  items: DeviceMember[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type DeviceMemberInput = {
  /** The tenant of the device; only a platform owner may name another than their own. */
  tenant_id?: string | null;
  /** A device that the caller may share. Cannot be changed. */
  device_id?: string;
  /** A user of the device's tenant. Cannot be changed. */
  user_id?: string;
  /** `viewer` for a new link when absent. A new owner takes the place of the one before. */
  role?: DeviceMemberRole;
  /** Empty for a link that does not end. That of an owner does not. */
  ends_on?: string | null;
};
export type JobStatus = 'unspecified' | 'queued' | 'running' | 'completed' | 'cancelled' | 'failed';
export type ImportMissing = {
  /** The field that the column is. */
  field: string;
  /** How many there are. */
  count: number;
  /** The first 20 of them. */
  names: string[];
  /** Whether the caller may make what they name. */
  may_create: boolean;
};
export type Job = {
  id: string;
  /** Of who started it; absent for platform owners. */
  tenant_id?: string;
  /** Who runs it, e.g. `fleet`. */
  service: string;
  /** `bulk`, `import` or `undo`. */
  kind: string;
  /** What it is done to, e.g. `device`. */
  resource: string;
  /** What is done, e.g. `delete`. */
  action: string;
  status: JobStatus;
  /** Items, settled when it was started. */
  total: number;
  /** Items that were done. */
  done: number;
  /** Items that failed. */
  failed: number;
  /** The user who started it. */
  created_by: string;
  created_at: string;
  started_at?: string;
  finished_at?: string;
  /** Why it could not go on, as a code; absent when it could. */
  error?: string;
  /** The same for people, in the language of the request. */
  message?: string;
  /** Its items are only tried, and nothing is done to anything: of an import that is tried out, or that is to be taken in
    when nothing is wrong with any row. */
  is_trial: boolean;
  /** What it did can be taken back, as `undo` does that. */
  can_be_undone: boolean;
  /** The job that took back what this one did. */
  undone_by?: string;
  /** In the answer that starts an import: what the file names that there is not. With `create_missing` that is made, or of a
    file that is tried out, would be. */
  missing?: ImportMissing[];
};
export type ListDeviceMembersRequest = {
  page?: number;
  page_size?: number;
  sort?: string;
  /** Matches a part of the device's name, vehicle code or IMEI. */
  q?: string;
  tenant_id?: string | null;
  /** Only links of these users, when there are any. */
  user_id?: string[];
  /** Only links to these devices, when there are any. */
  device_id?: string[];
  /** Only these, when there are any. */
  role?: DeviceMemberRole[];
  /** Only those that hold, or that ended. */
  status?: DeviceMemberStatus | null;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type Empty = {};
export type BulkDeviceMembersRequest = {
  /** These, at most 100,000; or `filter`. */
  ids?: string[];
  /** All that this list shows, whatever its page, at most 100,000. */
  filter?: ListDeviceMembersRequest | null;
  /** Removes each. */
  delete?: Empty | null;
  /** Changes the fields that are present of each. */
  update?: DeviceMemberInput | null;
};
export type LinkOutcome =
  'unspecified' | 'linked' | 'unlinked' | 'already_linked' | 'already_owned' | 'not_linked' | 'not_found' | 'forbidden';
export type LinkedDevice = {
  device_id: string;
  /** Empty when it was not found. */
  device_name: string;
  vehicle_code: string;
  outcome: LinkOutcome;
  /** The owner whose place the user takes. */
  replaced_owner_id?: string;
};
export type LinkDevicesReport = {
  items: LinkedDevice[];
  /** `linked` and `unlinked`. */
  succeeded: number;
  /** What was left as it is. */
  skipped: number;
  /** `not_found` and `forbidden`. */
  failed: number;
};
export type LinkDevicesRequest = {
  /** Who is linked, or no longer. */
  user_id: string;
  /** As what. Needed when anything shall be linked. */
  role?: DeviceMemberRole;
  /** The last day of the new links, in the tenant's time zone; absent or empty for links that do not end. */
  ends_on?: string | null;
  /** The devices that are linked. */
  device_ids?: string[];
  /** And all that these users own. */
  from_user_ids?: string[];
  /** The devices whose links are taken away; needs the permission `device_member:delete`. */
  unlinked_device_ids?: string[];
  /** Only say what would become of each. */
  dry_run?: boolean;
};
export type DeviceStatus = 'unspecified' | 'active' | 'inactive';
export type DeviceIconType =
  'unspecified' | 'car' | 'van' | 'pickup' | 'truck' | 'bus' | 'motorcycle' | 'heavy_equipment';
export type ImeiStatus = 'unspecified' | 'bound' | 'pending' | 'rejected';
export type MeterSource = 'unspecified' | 'device' | 'computed';
export type FuelSource = 'unspecified' | 'liter' | 'percent' | 'attribute';
export type IgnitionWire = 'unspecified' | 'found' | 'connected' | 'absent';
export type Device = {
  id: string;
  tenant_id: string;
  /** The owner; also a device member with the role `owner`. */
  user_id?: string;
  /** By what its tracker is known: 15 digits are an IMEI; any other identifier has 4 to 32 characters of `A-Z a-z 0-9 - _`, with its
    letters as the tracker writes them, and is not `frame`. Of all devices that name it, one at most is bound to it. */
  imei: string;
  name: string;
  sim_number: string;
  /** Seconds parked after which an alert is due; 0 for never. */
  max_parking_time: number;
  status: DeviceStatus;
  row_version: number;
  created_at: string;
  updated_at: string;
  /** What was accepted although it looks wrong, as codes: `imei_check_digit`; `imei_length`, 14 or 16 digits; and `imei_case` when another
    device of the tenant that the caller sees has an identifier that differs by case alone. */
  warnings: string[];
  icon_type: DeviceIconType;
  /** The number plate, or the fleet's own code of the vehicle. */
  vehicle_code: string;
  /** The names of what the ids below name in the master data. Of models, with their brand before it. */
  vehicle_type: string;
  /** The name of who usually drives. */
  primary_driver: string;
  /** No positions come in unless it is `bound`. */
  imei_status: ImeiStatus;
  /** Why the IMEI was refused, in a platform owner's words. */
  imei_reason: string;
  /** Who usually drives. */
  primary_driver_id?: string;
  vehicle_brand: string;
  vehicle_model: string;
  vehicle_status: string;
  device_category: string;
  /** The groups that it is in, with commas between. */
  groups: string;
  gps_brand: string;
  gps_model: string;
  gps_protocol: string;
  /** Of the tracker itself, as its maker counts. */
  tracker_serial_number: string;
  engine_number: string;
  chassis_number: string;
  /** The last day on which the vehicle's papers are good; empty when unknown. */
  license_expiry: string;
  /** Cubic metres and kilograms that it may carry; 0 for unknown. */
  capacity_volume: number;
  capacity_weight: number;
  cargo_category: string;
  temperature_range: string;
  has_hazmat_certificate: boolean;
  warehouse: string;
  /** Litres in its tank; 0 for unknown. */
  fuel_capacity: number;
  /** As the fleet says it: `in service`, `waiting for parts`. */
  maintenance_status: string;
  /** The profile by which the warehouse system plans its ways. */
  wms_routing_profile: string;
  /** The ids of zones in which it may be, with commas between; empty for everywhere. */
  allowed_zones: string;
  /** Entries of the master data; absent for none. */
  gps_brand_id?: string;
  gps_model_id?: string;
  gps_protocol_id?: string;
  vehicle_brand_id?: string;
  vehicle_model_id?: string;
  vehicle_status_id?: string;
  vehicle_type_id?: string;
  device_category_id?: string;
  cargo_category_id?: string;
  temperature_range_id?: string;
  warehouse_id?: string;
  /** Ids of groups, with commas between. */
  group_ids: string;
  /** There is a password of the tracker. */
  has_password: boolean;
  /** From what its odometer and its engine hours are read. */
  odometer_source: MeterSource;
  engine_hours_source: MeterSource;
  /** When it was deleted, and by whom; absent for one that is not. */
  deleted_at?: string;
  deleted_by?: string;
  /** When a deleted one is erased for good, unless the deletion is undone before. */
  erase_after?: string;
  /** km/h that it may go: going faster is told as an event; 0 for any speed. */
  speed_limit: number;
  /** Its own thresholds, where it has others than its tenant: km/h from which it moves. */
  moving_speed?: number;
  /** Seconds that it must not move for a stop. */
  stop_seconds?: number;
  /** Metres that a trip has at least. */
  min_trip_distance?: number;
  /** Seconds that a trip has at least. */
  min_trip_seconds?: number;
  /** Seconds that it must stand with the engine on for that to be idle time of trips and stops. */
  idle_seconds?: number;
  /** Seconds that it must stand with the engine on for the event `idling`. */
  idle_alert_seconds?: number;
  /** Seconds without a fix after which nothing is said of the way between. */
  gap_seconds?: number;
  /** Seconds after which its newest position is shown as old. */
  stale_seconds?: number;
  /** Seconds after which it is offline. */
  offline_seconds?: number;
  /** From which of the values that its tracker reports its fuel is read. */
  fuel_source: FuelSource;
  /** The name of that value among the attributes, where it is one of them. */
  fuel_attribute: string;
  /** The calibration table of the sensor: what it says and the litres then, `0 0; 512 30.5; 1023 60`; empty for none. */
  fuel_table: string;
  /** Metres that it must be moved with the ignition off for the event `towing`. */
  tow_distance?: number;
  /** Whether its tracker is connected to the ignition. */
  ignition_wire: IgnitionWire;
};
export type DeviceList = {
  items: Device[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type VehicleState = 'unspecified' | 'moving' | 'idle' | 'parked' | 'offline' | 'no_data' | 'alarm';
export type DeviceInput = {
  /** The tenant of a new device; only a platform owner may name another than their own. */
  tenant_id?: string | null;
  /** The owner; empty for none. */
  user_id?: string | null;
  /** Spaces, dots, dashes and slashes are taken out. */
  imei?: string;
  name?: string;
  sim_number?: string | null;
  max_parking_time?: number | null;
  status?: DeviceStatus;
  /** `car` for a new device when absent. */
  icon_type?: DeviceIconType;
  /** At most 32 characters. */
  vehicle_code?: string | null;
  /** Who usually drives, a driver of the same tenant; empty for nobody. */
  primary_driver_id?: string | null;
  /** The password with which commands are sent to the tracker. Absent keeps the present one, empty removes it. */
  password?: string | null;
  tracker_serial_number?: string | null;
  engine_number?: string | null;
  chassis_number?: string | null;
  license_expiry?: string | null;
  /** Cubic metres. */
  capacity_volume?: number | null;
  /** Kilograms. */
  capacity_weight?: number | null;
  has_hazmat_certificate?: boolean;
  /** Litres. */
  fuel_capacity?: number | null;
  maintenance_status?: string | null;
  wms_routing_profile?: string | null;
  allowed_zones?: string | null;
  /** Entries of the master data, of the platform or of the device's tenant; empty for none. A model brings its brand, and
    what else it says of the device where that says nothing itself. */
  gps_brand_id?: string | null;
  gps_model_id?: string | null;
  gps_protocol_id?: string | null;
  vehicle_brand_id?: string | null;
  vehicle_model_id?: string | null;
  vehicle_status_id?: string | null;
  vehicle_type_id?: string | null;
  device_category_id?: string | null;
  cargo_category_id?: string | null;
  temperature_range_id?: string | null;
  warehouse_id?: string | null;
  /** All groups that it is in, with commas between: their ids, or what they are called. */
  group_ids?: string | null;
  /** `device` for a new device when absent. */
  odometer_source?: MeterSource;
  /** `computed` for a new device when absent. */
  engine_hours_source?: MeterSource;
  /** km/h. */
  speed_limit?: number | null;
  /** km/h from which it moves. `null` for that of its tenant, as with each threshold that follows. */
  moving_speed?: number | null;
  stop_seconds?: number | null;
  /** Metres. */
  min_trip_distance?: number | null;
  min_trip_seconds?: number | null;
  idle_seconds?: number | null;
  idle_alert_seconds?: number | null;
  gap_seconds?: number | null;
  stale_seconds?: number | null;
  /** Not less than the `stale_seconds` that hold for it. */
  offline_seconds?: number | null;
  /** `liter` for a new device when absent. */
  fuel_source?: FuelSource;
  /** Must be there when the source is `attribute`. */
  fuel_attribute?: string | null;
  /** 2 to 100 points with semicolons between, each what the sensor says and the litres then, with a blank between; what it
    says ascends. Empty for none. */
  fuel_table?: string | null;
  /** Metres. */
  tow_distance?: number | null;
  /** `found` as long as nobody chooses. */
  ignition_wire?: IgnitionWire;
};
export type ListDevicesRequest = {
  page?: number;
  page_size?: number;
  sort?: string;
  /** Matches a part of name, vehicle code, IMEI, SIM number or primary driver. */
  q?: string;
  /** Only what one of these users sees: admins all of their tenant, others what they own or are linked to. Narrows, never
    widens. */
  userIds?: string[];
  tenant_id?: string | null;
  /** Only these. */
  status?: DeviceStatus | null;
  /** Only these, when there are any. */
  icon_type?: DeviceIconType[];
  /** Only those whose IMEI is so far. */
  imei_status?: ImeiStatus | null;
  /** Only those that are in one of these states now, when there are any; needs the permission `position:live`. */
  live_state?: VehicleState[];
  /** Only those with one of these entries of the master data, when there are any of a kind. */
  gps_brand_id?: string[];
  gps_model_id?: string[];
  vehicle_brand_id?: string[];
  vehicle_model_id?: string[];
  vehicle_status_id?: string[];
  /** Only those in these groups, or in groups that lie in them, when there are any. */
  group_id?: string[];
  /** Only those of these warehouses, when there are any. */
  warehouse_id?: string[];
  /** `true` for those that are deleted and not erased yet, instead of the others: for whoever may delete devices, what they
    could bring back. */
  deleted?: boolean;
  /** Only those that are exactly so called, whatever the case: by name, code, IMEI or SIM number. */
  name?: string[];
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type BulkDevicesRequest = {
  /** These, at most 100,000; or `filter`. */
  ids?: string[];
  /** All that this list shows, whatever its page, at most 100,000. */
  filter?: ListDevicesRequest | null;
  /** Removes each. */
  delete?: Empty | null;
  /** Changes the fields that are present of each. */
  update?: DeviceInput | null;
  /** Undoes the deletion of each. */
  restore?: Empty | null;
};
export type DeviceGroup = {
  id: string;
  name: string;
  /** The group that it lies in; absent for none. */
  parent_id?: string;
  /** Those in the group itself; what is in a group that lies in it stands there. */
  device_ids: string[];
};
export type DeviceGroupList = {
  /** By name: those that any device is in, and all that these lie in. */
  items: DeviceGroup[];
};
export type DeviceAccessReason = 'unspecified' | 'platform_owner' | 'tenant_admin' | 'owner' | 'viewer' | 'technician';
export type DeviceAccessObstacle = 'unspecified' | 'link_ended' | 'user_inactive' | 'no_permission';
export type DeviceAccess = {
  user_id: string;
  user_name: string;
  user_email: string;
  reason: DeviceAccessReason;
  /** Absent when the user sees the device. */
  obstacle?: DeviceAccessObstacle;
  /** The last day of the link; empty when it does not end. */
  ends_on: string;
  /** What the user may do with the device, as permissions: `device:list`, `position:live`, `device:update` and so on. */
  permissions: string[];
};
export type DeviceAccessList = {
  items: DeviceAccess[];
};
export type CommandKindList = {
  /** Those of the device's protocol; all when it has none, or one that is not known. */
  items: CommandKind[];
  /** Whether a second person must agree before an engine is stopped. */
  engine_stop_consent: boolean;
};
export type EraseDeviceInput = {
  /** The device's name as it stands, typed by whoever wants it gone. */
  name: string;
};
export type MessageOutcome = 'unspecified' | 'accepted' | 'refused';
export type Motion = 'unspecified' | 'moving' | 'idle' | 'parked';
export type FixMark = 'unspecified' | 'jump' | 'few_satellites' | 'stuck' | 'clock' | 'clock_corrected' | 'cell_tower';
export type TrackPoint = {
  recorded_at: string;
  lat: number;
  lng: number;
  speed?: number;
  course?: number;
  alt?: number;
  sat?: number;
  valid: boolean;
  ignition?: boolean;
  odometer?: number;
  fuel_liter?: number;
  fuel_percent?: number;
  batt_percent?: number;
  charge?: boolean;
  gsm_signal?: number;
  alarm?: string;
  attrs?: object;
  motion: Motion;
  motion_since?: string;
  engine_seconds?: number;
  /** As of a `LastPosition`, but for the place of a jump, which is here as it was reported. */
  mark?: FixMark;
};
export type MessageRefusal = {
  /** As in `position-rejections`. */
  reason: string;
  /** The field that is wrong, where it is one and can be told. */
  field?: string;
  /** Who sent it. */
  gateway: string;
  /** Positions of it that were refused for this reason. */
  count: number;
  /** Bytes of the message, or of the rows of a frame. */
  size: number;
  /** What the message began with: text as it came, anything else as hexadecimal digits. Absent of a frame, whose rows are
    of many devices, and where the tracker was somebody else's before and the message may be theirs. */
  body?: string;
  is_text: boolean;
  /** There was more. */
  is_cut: boolean;
};
export type DeviceMessage = {
  outcome: MessageOutcome;
  /** Of a fix that was taken in, its own time; of a refused message, when it was received. */
  at: string;
  /** What it says; of a refused one only where it could be read: the newest row of a frame. */
  fix?: TrackPoint;
  /** Absent of what was taken in. */
  refusal?: MessageRefusal;
};
export type DeviceMessageList = {
  /** Newest first. */
  items: DeviceMessage[];
  /** `cursor` of the next page; absent on the last. */
  next_cursor?: string;
};
export type MeterCorrection = {
  id: string;
  device_id: string;
  /** Fixes from then on are read with it. */
  effective_from: string;
  /** What the odometer showed then, in metres; absent when it was not corrected. */
  odometer?: number;
  /** What the meter of engine hours showed then, in seconds; absent when it was not corrected. */
  engine_seconds?: number;
  reason: string;
  /** What they would have shown without it. */
  odometer_before?: number;
  engine_seconds_before?: number;
  created_at: string;
  /** Who said so; may be gone since. */
  created_by?: string;
  /** Their name; empty when they are gone. */
  created_by_name: string;
  /** It is the newest one of its device: that one alone can be undone. */
  is_newest: boolean;
};
export type MeterCorrectionList = {
  items: MeterCorrection[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type MeterCorrectionInput = {
  /** Now when absent. Not in the future, and not before the newest correction. */
  effective_from?: string | null;
  /** Metres. */
  odometer?: number | null;
  /** Seconds. */
  engine_seconds?: number | null;
  reason: string;
};
export type MeterDay = {
  /** In the tenant's time zone. */
  day: string;
  /** Metres that it has driven. */
  distance?: number;
  /** Seconds that its engine has run. */
  engine_seconds?: number;
  /** The odometer at the end of the day, in metres, as it was read then: without later corrections. */
  odometer?: number;
  /** When the last fix of the day was recorded. */
  recorded_at: string;
  /** Seconds that it has moved. */
  moving_seconds?: number;
  /** Seconds that it has stood with the engine on. */
  idle_seconds?: number;
  /** Seconds that it was parked. */
  parked_seconds?: number;
  /** Trips, each on the day on which it had become one: by then it takes as long and leads as far as the thresholds say. */
  trips?: number;
};
export type DeviceMeters = {
  /** Metres, as they are shown everywhere: what is chosen, with what was corrected. */
  odometer?: number;
  odometer_source: MeterSource;
  /** Seconds, the same. */
  engine_seconds?: number;
  engine_hours_source: MeterSource;
  /** When the fix was recorded that they were read at. */
  recorded_at?: string;
  /** What the device itself says, as it says it; absent when it says nothing. */
  device_odometer?: number;
  device_engine_seconds?: number;
  /** What was computed since its first fix. */
  computed_odometer?: number;
  computed_engine_seconds?: number;
  /** Of the last days, the newest first: those of which something is known. */
  days: MeterDay[];
  /** How many days were looked at. */
  days_asked: number;
  /** What it comes to on a day, of those days. */
  average_distance?: number;
  average_engine_seconds?: number;
};
export type Track = {
  items: TrackPoint[];
};
export type TrackFormat = 'unspecified' | 'json' | 'columns' | 'csv' | 'gpx' | 'kml' | 'geojson';
export type TrackSegmentKind = 'unspecified' | 'trip' | 'stop' | 'no_data';
export type TrackSegment = {
  kind: TrackSegmentKind;
  from: string;
  /** Where the next one begins. */
  to: string;
  /** Degrees. */
  start_lat: number;
  start_lng: number;
  end_lat: number;
  end_lng: number;
  /** Metres. */
  distance: number;
  moving_seconds: number;
  /** With the engine on, not moving. */
  idle_seconds: number;
  engine_seconds: number;
  /** km/h; absent where the tracker told no speed. */
  max_speed?: number;
  /** Fixes in it; one at its end belongs to the next one. */
  fixes: number;
  /** It ends only because nothing is known of the time after. */
  ongoing: boolean;
};
export type TrackSegmentList = {
  /** In the order of their times, each beginning where the one before ends. */
  items: TrackSegment[];
};
export type TrackerReplacement = {
  id: string;
  device_id: string;
  /** Fixes from then on are of the new tracker. */
  replaced_at: string;
  /** What the trackers call themselves; the same where it was not changed with the replacement. */
  imei_before: string;
  imei: string;
  /** What the odometer of the old tracker showed when it went, and that of the new one when it came, in metres. Absent where
    nobody read them: then the way between the last fix of the one and the first of the other is what was driven meanwhile. */
  odometer_before?: number;
  odometer_after?: number;
  /** The same of their meters of engine hours, in seconds. */
  engine_seconds_before?: number;
  engine_seconds_after?: number;
  reason: string;
  /** Who said so; may be gone since. */
  created_by?: string;
  /** Their name; empty when they are gone. */
  created_by_name: string;
  created_at: string;
  /** It came with another IMEI of the device, and nobody said more of it. */
  is_by_imei: boolean;
};
export type TrackerReplacementList = {
  items: TrackerReplacement[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type ReplaceTrackerRequest = {
  /** Of the new tracker; that of the device when absent. */
  imei?: string | null;
  /** Now when absent. Not in the future, and not before the newest replacement. Where that one came with the IMEI alone and led to
    this `imei`, this one takes its place. */
  replaced_at?: string | null;
  /** Metres: both or neither. */
  odometer_before?: number | null;
  odometer_after?: number | null;
  /** Seconds: both or neither. */
  engine_seconds_before?: number | null;
  engine_seconds_after?: number | null;
  reason?: string;
};
export type DocumentKind = 'unspecified' | 'stnk' | 'tax' | 'kir' | 'permit' | 'insurance' | 'license' | 'other';
export type DocumentSubject = 'unspecified' | 'vehicle' | 'driver';
export type DocumentState = 'unspecified' | 'valid' | 'expiring' | 'expired' | 'none';
export type FileKind = 'unspecified' | 'pdf' | 'jpeg' | 'png' | 'webp';
export type File = {
  id: string;
  /** As whoever uploaded it called it. */
  name: string;
  kind: FileKind;
  /** Bytes. */
  size: number;
  /** SHA-256 of the content, in hexadecimal. */
  sha256: string;
  created_at: string;
};
export type Document = {
  id: string;
  tenant_id: string;
  kind: DocumentKind;
  /** What people call it: its number, or whose it is, unless somebody has named it. */
  name: string;
  number: string;
  subject: DocumentSubject;
  /** The name of the vehicle or driver. */
  subject_name: string;
  /** The plate of the vehicle, or the number of the driver's license. */
  subject_code: string;
  /** The first day on which it is good; empty when unknown. */
  issued_on: string;
  /** The last day on which it is good; empty for one that does not expire. */
  expires_on: string;
  state: DocumentState;
  /** Days from today until its last day, negative when that is over; absent for one that does not expire. */
  days_left?: number;
  /** How many days before its last day somebody is reminded, with commas between, the most first; 0 is that day itself. The
    day after follows by itself. Empty for no reminders. */
  reminder_days: string;
  notes: string;
  files: File[];
  created_at: string;
  updated_at: string;
  /** The vehicle, if it is one's. */
  device_id?: string;
  /** The driver, if it is one's. */
  driver_id?: string;
  row_version: number;
};
export type DocumentList = {
  items: Document[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type DocumentInput = {
  /** The tenant of a new document; only a platform owner may name another than their own. */
  tenant_id?: string | null;
  kind?: DocumentKind;
  /** Its number, or whose it is, when it is empty. */
  name?: string | null;
  number?: string | null;
  /** Of a new one: the vehicle, or `driver_id`. */
  device_id?: string | null;
  /** Of a new one: the driver, or `device_id`. */
  driver_id?: string | null;
  issued_on?: string | null;
  expires_on?: string | null;
  /** Whole days from 0 to 365 with commas between, at most 10; `30,14,7,1,0` for a new one when absent. */
  reminder_days?: string | null;
  notes?: string | null;
  /** The ids of all its files with commas between, at most 20, as they were uploaded; those that are left out are removed. */
  file_ids?: string | null;
};
export type ListDocumentsRequest = {
  page?: number;
  page_size?: number;
  sort?: string;
  /** Matches a part of name, number, or name or code of the vehicle or driver. */
  q?: string;
  tenant_id?: string | null;
  /** Only these, when there are any. */
  kind?: DocumentKind[];
  /** Only these, when there are any. */
  state?: DocumentState[];
  /** Only those of vehicles, or of drivers. */
  subject?: DocumentSubject;
  /** Only of this vehicle. */
  device_id?: string | null;
  /** Only of this driver. */
  driver_id?: string | null;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type BulkDocumentsRequest = {
  /** These, at most 100,000; or `filter`. */
  ids?: string[];
  /** All that this list shows, whatever its page, at most 100,000. */
  filter?: ListDocumentsRequest | null;
  /** Removes each. */
  delete?: Empty | null;
  /** Changes the fields that are present of each. */
  update?: DocumentInput | null;
};
export type DocumentSummary = {
  total: number;
  valid: number;
  expiring: number;
  expired: number;
  /** Those that do not expire. */
  none: number;
};
export type DriverAssignment = {
  id: string;
  tenant_id: string;
  /** May be gone since. */
  driver_id: string;
  /** As it is now, or as it was when the driver was removed. */
  driver_name: string;
  /** May be gone since. */
  device_id: string;
  /** As it is now, or as it was when the device was removed. */
  device_name: string;
  assigned_from: string;
  /** Absent while it holds. */
  assigned_until?: string;
};
export type DriverAssignmentList = {
  items: DriverAssignment[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type DriverStatus = 'unspecified' | 'available' | 'on_duty' | 'off_duty' | 'inactive';
export type Driver = {
  id: string;
  tenant_id: string;
  name: string;
  status: DriverStatus;
  phone: string;
  email: string;
  license_number: string;
  /** As the license says it, e.g. `B II`. */
  license_class: string;
  /** The last day on which the license is good; empty when unknown. */
  license_expiry: string;
  /** Make, model or kind, in the fleet's own words. */
  vehicle_type: string;
  /** The number plate of the vehicle. */
  license_plate: string;
  /** The depot where the driver's days begin. */
  home_base: string;
  /** What the driver's RFID card or iButton sends: letters and digits, in capitals. */
  identification: string;
  notes: string;
  created_at: string;
  updated_at: string;
  row_version: number;
};
export type DriverList = {
  items: Driver[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type DriverInput = {
  /** The tenant of a new driver; only a platform owner may name another than their own. */
  tenant_id?: string | null;
  name?: string;
  /** `available` for a new driver when absent. */
  status?: DriverStatus;
  phone?: string | null;
  email?: string | null;
  license_number?: string | null;
  license_class?: string | null;
  license_expiry?: string | null;
  vehicle_type?: string | null;
  license_plate?: string | null;
  home_base?: string | null;
  /** Of the drivers of a tenant one at most has it. Spaces, colons, dots and dashes are taken out. */
  identification?: string | null;
  notes?: string | null;
};
export type ListDriversRequest = {
  page?: number;
  page_size?: number;
  sort?: string;
  /** Matches a part of name, email, phone, license plate or license number, or of what a card sends. */
  q?: string;
  tenant_id?: string | null;
  /** Only these, when there are any. */
  status?: DriverStatus[];
  /** Only those that are exactly so called, whatever the case: by name, email, phone, or identification. */
  name?: string[];
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type BulkDriversRequest = {
  /** These, at most 100,000; or `filter`. */
  ids?: string[];
  /** All that this list shows, whatever its page, at most 100,000. */
  filter?: ListDriversRequest | null;
  /** Removes each. */
  delete?: Empty | null;
  /** Changes the fields that are present of each. */
  update?: DriverInput | null;
};
export type EventEntry = {
  id: string;
  tenant_id: string;
  /** When it happened. */
  occurred_at: string;
  /** `<module>.<what>`, e.g. `vehicle.overspeed`. */
  kind: string;
  /** When it was noticed. */
  recorded_at: string;
  /** The vehicle that it concerns. */
  device_id?: string;
  /** The name that the vehicle has now; empty when it is about no vehicle. */
  device_name: string;
  /** The driver whom it concerns. */
  driver_id?: string;
  /** What it is about, where that is not the vehicle itself: the name of a document, the title of a maintenance. */
  title: string;
  /** Where the vehicle was, degrees of WGS 84; absent when nobody knows, or when it is about no place. */
  lat?: number;
  lng?: number;
  /** km/h. */
  speed?: number;
  /** What was measured, where the kind measures something. docs/EVENTS.md has the unit of each kind. */
  value?: number;
  /** What it was measured against, in the same unit. */
  limit?: number;
  /** When that began which had lasted too long when it was told. */
  since?: string;
  /** What there is to say besides, e.g. the last day of a document. */
  details?: object;
  /** The thing that it is about, e.g. a document; the vehicle where there is no other. */
  subject_id: string;
};
export type EventList = {
  items: EventEntry[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type EventCount = {
  kind: string;
  count: number;
};
export type EventSummary = {
  /** The kinds of which there are some, in the order of their names. */
  items: EventCount[];
  total: number;
};
export type StorageUsage = {
  /** Bytes of all files, those among them that are being uploaded. */
  used_bytes: SafeInteger;
  /** Bytes that there may be; 0 for no limit. */
  limit_bytes: SafeInteger;
  /** Bytes that one file may have. */
  file_limit_bytes: SafeInteger;
};
export type RejectedElement = {
  /** Its place in the message, from 0. */
  index: number;
  reason: string;
  field?: string;
};
export type LeftOutValue = {
  field: string;
  /** `out_of_range`, `wrong_type`, `too_long` or `unreadable`. */
  reason: string;
  /** How many. */
  count: number;
};
export type GatewayMessage = {
  received_at: string;
  /** What stood in its subject after the gateway's name: an IMEI, or `frame`. */
  device: string;
  /** Its size in bytes. */
  size: number;
  /** What it began with: text as it came, anything else as hexadecimal digits. */
  body: string;
  is_text: boolean;
  /** There was more. */
  is_cut: boolean;
  /** How many of its positions are in history, or will be. */
  accepted: number;
  /** How many wait until somebody has their device. */
  held: number;
  /** What was refused, at most 20. */
  rejected: RejectedElement[];
  /** How many that is. */
  rejected_count: number;
  /** Seconds by which a clock was ahead; 0 for none. */
  clock_ahead_seconds: number;
  /** IMEIs that nobody has, at most 20. */
  unknown_imeis: string[];
  /** It named an inbox, so that it was told. */
  was_answered: boolean;
  /** Values of the positions that were taken in which cannot be, and were left out. */
  left_out: LeftOutValue[];
  /** Seconds by which a clock was behind; 0 for none. */
  clock_behind_seconds: number;
  /** Positions whose clock had lost a multiple of 1,024 weeks: taken in at the time that is right. */
  clock_corrected: number;
  /** Positions of an instant of which another one before them in the message is elsewhere: that place is kept. */
  second_places: number;
};
export type GatewayMessageList = {
  /** The newest first. */
  items: GatewayMessage[];
  total: number;
};
export type GatewayState = 'unspecified' | 'off' | 'new' | 'connected' | 'disconnected';
export type GatewayRejection = {
  /** As in the answer that the gateway got. */
  reason: string;
  count: number;
};
export type Gateway = {
  id: string;
  /** The tenant whose devices alone it speaks for; absent for one of the platform, which speaks for everybody's. */
  tenant_id?: string;
  /** As it stands in `gps.<name>.…`, and the user of its connections. Never given to another one. */
  name: string;
  state: GatewayState;
  /** Whether it may connect. What is switched off is cut off within five seconds. */
  enabled: boolean;
  /** Where it may connect from, addresses and networks (`203.0.113.0/24`), a line each; empty for anywhere. */
  allowed_addresses: string;
  notes: string;
  /** The gateway of whoever gives no name to the server of one machine, from that machine: it has no secret. */
  is_anonymous: boolean;
  /** Connections that are open now; absent when the server cannot be asked. */
  connections?: number;
  /** Positions it sent that were taken in, a second, over the last minute. */
  fixes_per_second: number;
  /** What of it was refused since yesterday, by reason, the most frequent first. */
  rejections: GatewayRejection[];
  /** How many positions those are together. */
  rejected: number;
  /** When it last published. */
  last_heard_at?: string;
  /** When its secret was made, and when somebody last connected with it. */
  secret_created_at?: string;
  secret_used_at?: string;
  /** The secret before that is still valid, and when somebody last connected with it. */
  has_previous_secret: boolean;
  previous_secret_used_at?: string;
  /** The secret, in the answer that made it and never again. */
  secret?: string;
  created_at: string;
  updated_at: string;
  row_version: number;
};
export type GatewayList = {
  items: Gateway[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type GatewayInput = {
  /** The tenant of a new gateway: a platform owner who names none makes one of the platform. */
  tenant_id?: string | null;
  /** Letters, digits, `-` and `_`, at most 64. Names of parts of Armada are reserved, and nobody gets a name that another
    gateway had. It does not change. */
  name?: string;
  /** On for a new one when absent. */
  enabled?: boolean;
  /** Addresses and networks, separated by lines, spaces or commas; at most 50. */
  allowed_addresses?: string | null;
  notes?: string | null;
};
export type GatewayConnection = {
  /** Its number on its server. */
  id: string;
  /** The server's name. */
  server: string;
  /** From where it came. */
  address: string;
  /** What the program calls itself. */
  program: string;
  /** Its client library and the version of that. */
  client: string;
  connected_at: string;
  last_activity_at?: string;
  /** Messages that it published on this connection. */
  messages: SafeInteger;
  /** And their size in bytes. */
  bytes: SafeInteger;
};
export type GatewayConnectionList = {
  /** The newest first. */
  items: GatewayConnection[];
  total: number;
};
export type ImeiHolder = {
  device_id: string;
  device_name: string;
  tenant_id: string;
};
export type HeardImei = {
  imei: string;
  /** The gateways that it came through, at most eight. */
  gateways: string[];
  /** There were more than those. */
  more_gateways: boolean;
  /** When the receiver wrote the first and the last message that was noted. The last one is noted every few minutes only. */
  first_heard: string;
  last_heard: string;
  /** How many fixes, about. */
  fixes: number;
  /** False for trackers that were born with a wrong one. */
  check_digit_ok: boolean;
  /** A device that the caller sees and that names it, but does not have it: it waits for a decision, or was refused. */
  claimant?: ImeiHolder;
};
export type HeardImeiList = {
  items: HeardImei[];
  total: number;
};
export type ImeiAssignment = {
  imei: string;
  tenant_id: string;
  created_at: string;
};
export type ImeiAssignmentList = {
  items: ImeiAssignment[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type ImeiAssignmentResult =
  | 'unspecified'
  | 'assigned'
  | 'already_assigned'
  | 'assigned_elsewhere'
  | 'not_an_imei'
  | 'wrong_check_digit'
  | 'imei_length';
export type ImeiAssignmentLine = {
  /** As it was pasted, at most 40 characters of it. */
  line: string;
  result: ImeiAssignmentResult;
};
export type ImeiAssignmentLines = {
  /** In the order of the request, without empty ones. */
  items: ImeiAssignmentLine[];
  assigned: number;
};
export type ImeiAssignmentInput = {
  tenant_id?: string;
  /** As they were pasted, at most 1000; separators are taken out. */
  imeis: string[];
  /** Takes those with a wrong check digit too, and those of 14 or 16 digits. */
  accept_wrong_check_digits?: boolean;
};
export type ImeiClaimStatus = 'unspecified' | 'waiting' | 'approved' | 'rejected';
export type ImeiHeard = {
  /** The gateways that it came through, at most eight. */
  gateways: string[];
  /** There were more than those. */
  more_gateways: boolean;
  /** When the receiver wrote the first and the last message that was noted. The last one is noted every few minutes only. */
  first_heard: string;
  last_heard: string;
  /** How many fixes, about. */
  fixes: number;
};
export type ImeiClaim = {
  id: string;
  imei: string;
  tenant_id: string;
  /** The device that waits for the IMEI, and its name when the claim was made. */
  device_id: string;
  device_name: string;
  status: ImeiClaimStatus;
  /** Why it was rejected, as the tenant reads it. */
  reason: string;
  claimed_at: string;
  decided_at?: string;
  /** The users who claimed and who decided. */
  claimed_by?: string;
  decided_by?: string;
  row_version: number;
  /** False for trackers that were born with a wrong one, and for typing errors. */
  check_digit_ok: boolean;
  /** Who has the IMEI now. */
  holder?: ImeiHolder;
  /** The tenant that the IMEI was assigned to beforehand. */
  assigned_tenant_id?: string;
  /** Absent when it was never heard while nobody had it, or when that cannot be asked now. */
  heard?: ImeiHeard;
  /** What is heard can be asked now. */
  heard_known: boolean;
};
export type ImeiClaimList = {
  items: ImeiClaim[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type ImeiDecisionInput = {
  /** Why; the tenant reads it. Needed to reject. At most 500 characters. */
  reason?: string | null;
};
export type JobList = {
  items: Job[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type JobItemStatus = 'unspecified' | 'pending' | 'done' | 'failed' | 'skipped';
export type Conflicting = {
  id: string;
  name: string;
};
export type JobItem = {
  item_id: string;
  /** Its name when the job was started; empty for what the caller did not see. */
  name: string;
  status: JobItemStatus;
  /** What the same act alone would have answered, as a code; absent unless it failed. */
  error?: string;
  /** The same for people, in the language of the request. */
  message?: string;
  /** What is wrong with each field, by its name. */
  fields: {
    [key: string]: string;
  };
  /** What has the value already that is wanted, if it is something of one's own. */
  conflicting?: Conflicting;
  /** The limit that was reached, if one was. */
  limit?: number;
};
export type JobItemList = {
  items: JobItem[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type DayActivity = {
  /** When the day began. */
  from: string;
  /** When it ends. Who reads this later shows zeros: nothing was heard of the vehicle on the new day yet. */
  until: string;
  /** Metres. The way between two fixes belongs to the day of the later one. */
  distance: number;
  /** Seconds with the ignition on; absent when that is not known. */
  engine_seconds?: number;
  moving_seconds: number;
  /** Seconds standing with the engine on. */
  idle_seconds: number;
  parked_seconds: number;
};
export type LastPosition = {
  device_id: string;
  recorded_at: string;
  /** Degrees. */
  lat: number;
  lng: number;
  /** km/h. */
  speed?: number;
  /** Degrees clockwise from north. */
  course?: number;
  /** Metres. */
  alt?: number;
  sat?: number;
  valid: boolean;
  ignition?: boolean;
  /** Metres: the vehicle's own where it reports one, or those since the first fix, as is chosen of the device and corrected. */
  odometer?: number;
  fuel_liter?: number;
  fuel_percent?: number;
  batt_percent?: number;
  charge?: boolean;
  gsm_signal?: number;
  alarm?: string;
  /** A JSON object as text here, and that object in JSON. */
  attrs?: object;
  motion: Motion;
  /** Since when the motion holds. */
  motion_since?: string;
  /** Seconds with the engine on since the first fix, or the vehicle's own, as is chosen of the device and corrected. */
  engine_seconds?: number;
  /** What the vehicle does now, as lists and maps show it. This and the next two are of last positions alone: the live socket
    tells of alarms in `device_update`. */
  state?: VehicleState;
  /** The alarm that stands until somebody acknowledges it, e.g. `sos`; of several the one that asks most. */
  standing_alarm?: string;
  /** When the first of its events happened. */
  standing_alarm_since?: string;
  /** By how many seconds the tracker's clock is ahead, or behind where negative, as far as its fixes show it: by more than a
    minute; absent of one that is right. Of one that has lost weeks it is 1,024 weeks, the least. Of last positions alone. */
  clock_off_seconds?: number;
  /** Why it cannot be believed; absent of what can. The place of a jump is the last one that was trusted. */
  mark?: FixMark;
  /** What the vehicle has come to on the day of this fix; absent when that is not known. */
  today?: DayActivity;
};
export type LastPositionList = {
  items: LastPosition[];
  total: number;
};
export type MailStatus = {
  /** Whether there is a mail server to send it by. */
  configured: boolean;
  /** Emails that are to be sent, one that is being sent with them. */
  waiting: number;
  /** Of these, those that could not be sent yet: they are tried again for two days. */
  failing: number;
  /** When the oldest of those that fail was queued; absent when none does. */
  failing_since?: string;
  /** Why the oldest of them fails: the code of the mail server (RFC 5321, e.g. `535`), `no_answer`, or the code of another
    error. Empty when none fails. */
  failure: string;
};
export type MaintenanceState = 'unspecified' | 'scheduled' | 'due_soon' | 'due' | 'overdue' | 'paused' | 'done';
export type MaintenanceTrigger = 'unspecified' | 'any' | 'schedule' | 'mileage' | 'engine_hours';
export type Maintenance = {
  id: string;
  tenant_id: string;
  title: string;
  /** The name of the vehicle. */
  device_name: string;
  /** Its number plate, or the fleet's own code of it. */
  vehicle_code: string;
  state: MaintenanceState;
  /** As people say it: `pending`, `in-progress`, `done`. */
  status: string;
  /** As people say it: `low`, `medium`, `high`. */
  priority: string;
  trigger_mode: MaintenanceTrigger;
  /** The day on which it is due; empty for none. */
  due_date: string;
  /** Kilometres on the odometer at which it is due; 0 for none. */
  due_odometer: number;
  /** Hours of the engine at which it is due; 0 for none. */
  due_engine_hours: number;
  /** The day on which it will be due: its date, or when its vehicle will have gone so far at the rate of the last 30 days,
    whichever comes first. Empty when nobody can tell. */
  expected_on: string;
  /** Whether `expected_on` is a forecast and not a date that somebody has set. */
  is_forecast: boolean;
  /** Days before the date on which it is due soon. */
  lead_days: number;
  /** Kilometres before the odometer at which it is due soon. */
  lead_odometer: number;
  /** Hours before the engine hours at which it is due soon. */
  lead_engine_hours: number;
  /** After how many days it comes again; 0 for never. */
  interval_days: number;
  /** After how many kilometres it comes again; 0 for never. */
  interval_odometer: number;
  /** After how many hours of the engine it comes again; 0 for never. */
  interval_engine_hours: number;
  /** Who gets an email when it is due soon, due and overdue, with commas between. */
  notification_emails: string;
  detail: string;
  /** Whether a report of each completion is kept with it. */
  auto_generate_report: boolean;
  paused: boolean;
  /** Kilometres that the odometer shows; absent when nobody knows. */
  odometer?: number;
  /** Hours that the engine has run; absent when nobody knows. */
  engine_hours?: number;
  /** The day of the last completion; empty for none. */
  last_done_on: string;
  created_at: string;
  updated_at: string;
  device_id: string;
  row_version: number;
};
export type MaintenanceList = {
  items: Maintenance[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type MaintenanceInput = {
  /** The tenant of a new maintenance; only a platform owner may name another than their own. */
  tenant_id?: string | null;
  /** A vehicle that the caller may maintain. Cannot be changed. */
  device_id?: string;
  title?: string;
  /** `any` for a new one when absent. */
  trigger_mode?: MaintenanceTrigger;
  /** `pending` for a new one when absent. */
  status?: string | null;
  /** `medium` for a new one when absent. */
  priority?: string | null;
  /** A new one with an interval and without a date is due one interval from today. */
  due_date?: string | null;
  /** Kilometres; 0 for none. One with an interval and without this is due one interval from what the odometer shows. */
  due_odometer?: number | null;
  /** 0 for none. One with an interval and without this is due one interval from what the engine has run. */
  due_engine_hours?: number | null;
  /** 7 for a new one when absent. */
  lead_days?: number | null;
  /** 500 for a new one when absent. */
  lead_odometer?: number | null;
  /** 20 for a new one when absent. */
  lead_engine_hours?: number | null;
  interval_days?: number | null;
  interval_odometer?: number | null;
  interval_engine_hours?: number | null;
  /** With commas between, at most 10. */
  notification_emails?: string | null;
  detail?: string | null;
  auto_generate_report?: boolean;
  paused?: boolean;
};
export type MaintenanceLog = {
  id: string;
  tenant_id: string;
  /** The title of the maintenance, as it was. */
  title: string;
  /** The day on which it was done. */
  done_on: string;
  /** The name of the vehicle. */
  device_name: string;
  /** Its number plate, or the fleet's own code of it. */
  vehicle_code: string;
  /** What it cost, in the currency's minor unit of ISO 4217 (hundredths for IDR). */
  cost: SafeInteger;
  /** ISO 4217: the tenant's when it was completed. */
  currency: string;
  /** The workshop. */
  vendor: string;
  /** Kilometres that the odometer showed; 0 when nobody knows. */
  odometer: number;
  /** Hours that the engine had run; 0 when nobody knows. */
  engine_hours: number;
  /** What was put in, line by line. */
  parts: string;
  notes: string;
  /** The day on which it was due; empty for none. */
  due_date: string;
  /** Kilometres at which it was due; 0 for none. */
  due_odometer: number;
  /** Hours at which it was due; 0 for none. */
  due_engine_hours: number;
  /** Whether it was overdue when it was done. */
  is_late: boolean;
  files: File[];
  created_at: string;
  updated_at: string;
  /** Absent when the maintenance was removed since. */
  maintenance_id?: string;
  device_id: string;
  row_version: number;
};
export type MaintenanceLogList = {
  items: MaintenanceLog[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type MaintenanceLogInput = {
  /** What is completed. Cannot be changed. */
  maintenance_id?: string;
  /** Today when absent or empty; no day to come. */
  done_on?: string | null;
  /** In the minor unit of the tenant's currency. */
  cost?: number | null;
  vendor?: string | null;
  /** Kilometres. What the vehicle's odometer shows when absent and it is done today. */
  odometer?: number | null;
  /** What the engine has run when absent and it is done today. */
  engine_hours?: number | null;
  parts?: string | null;
  notes?: string | null;
  /** The ids of all its files with commas between, at most 20, as they were uploaded; those that are left out are removed. */
  file_ids?: string | null;
  /** The tenant of the maintenance; only a platform owner may name another than their own. */
  tenant_id?: string | null;
};
export type ListMaintenanceLogsRequest = {
  page?: number;
  page_size?: number;
  sort?: string;
  /** Matches a part of the title, the vendor, the parts, the notes, or the name or plate of the vehicle. */
  q?: string;
  tenant_id?: string | null;
  /** Only of this maintenance. */
  maintenance_id?: string | null;
  /** Only of this vehicle. */
  device_id?: string | null;
  /** Only what was done on this day or later. */
  from?: string | null;
  /** Only what was done on this day or before. */
  until?: string | null;
  /** Only what was late, or was not. */
  is_late?: boolean | null;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type BulkMaintenanceLogsRequest = {
  /** These, at most 100,000; or `filter`. */
  ids?: string[];
  /** All that this list shows, whatever its page, at most 100,000. */
  filter?: ListMaintenanceLogsRequest | null;
  /** Removes each. */
  delete?: Empty | null;
};
export type MaintenanceCost = {
  device_id: string;
  device_name: string;
  vehicle_code: string;
  /** In the currency's minor unit. */
  cost: SafeInteger;
  completions: number;
  on_time: number;
  distance?: number;
  cost_per_km?: number;
};
export type MaintenanceCosts = {
  /** ISO 4217. What was entered in another currency is not counted. */
  currency: string;
  /** In the currency's minor unit. */
  cost: SafeInteger;
  /** Completions. */
  completions: number;
  /** Those of them that were not late. */
  on_time: number;
  /** Kilometres that these vehicles went meanwhile; absent when nobody knows. */
  distance?: number;
  /** In the currency's minor unit; absent when nobody knows how far they went. */
  cost_per_km?: number;
  /** Of each vehicle, the dearest first, at most 100. */
  items: MaintenanceCost[];
};
export type ListMaintenanceRequest = {
  page?: number;
  page_size?: number;
  sort?: string;
  /** Matches a part of the title, the detail, the status, or the name or plate of the vehicle. */
  q?: string;
  tenant_id?: string | null;
  /** Only these, when there are any. */
  state?: MaintenanceState[];
  /** Only those whose status is one of these, however it is written. */
  status?: string[];
  /** Only those whose priority is one of these, however it is written. */
  priority?: string[];
  /** Only of this vehicle. */
  device_id?: string | null;
  /** Only those that will be due on this day or later, by date or forecast. */
  expected_from?: string | null;
  /** Only those that will be due on this day or before, by date or forecast. */
  expected_until?: string | null;
  /** Only those whose vehicle is in one of these groups, or in one that lies in them. */
  group_id?: string[];
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type BulkMaintenanceRequest = {
  /** These, at most 100,000; or `filter`. */
  ids?: string[];
  /** All that this list shows, whatever its page, at most 100,000. */
  filter?: ListMaintenanceRequest | null;
  /** Removes each. */
  delete?: Empty | null;
  /** Changes the fields that are present of each. */
  update?: MaintenanceInput | null;
};
export type MaintenancePlanRequest = {
  /** A group of vehicles of the master data; those in groups that lie in it belong to it. */
  group_id: string;
  /** What each of them gets; its `device_id` is passed over. */
  maintenance?: MaintenanceInput;
};
export type MaintenanceSummary = {
  total: number;
  scheduled: number;
  due_soon: number;
  due: number;
  overdue: number;
  paused: number;
  done: number;
  /** Emails of the last day, whatever the list, that did not go out since too many had gone to addresses that none of the tenant's
    users has. 0 for who is no admin. */
  unsent_emails: number;
};
export type MaintenanceWords = {
  statuses: string[];
  priorities: string[];
};
export type MasterDataKind =
  | 'unspecified'
  | 'gps_brand'
  | 'gps_model'
  | 'gps_protocol'
  | 'vehicle_brand'
  | 'vehicle_model'
  | 'vehicle_type'
  | 'vehicle_status'
  | 'device_category'
  | 'cargo_category'
  | 'temperature_range'
  | 'device_group'
  | 'warehouse';
export type MasterDataEntry = {
  id: string;
  /** Absent for one of the platform. */
  tenant_id?: string;
  kind: MasterDataKind;
  name: string;
  /** With the name of its brand before it: `Toyota Avanza`. Of all others the name. */
  label: string;
  /** The brand of a model, the group that a group lies in. */
  parent_id?: string;
  /** Its name. */
  parent: string;
  /** What a GPS model speaks. */
  protocol_id?: string;
  /** Its name. */
  protocol: string;
  /** Where trackers that speak a GPS protocol connect by custom, or of a GPS model, where that differs; 0 for unknown. */
  port: number;
  /** What a GPS model reports besides where it is, or can do, with commas between: `ignition, fuel`. */
  reports: string;
  /** What kind of vehicle a vehicle model is. */
  vehicle_type_id?: string;
  /** Its name. */
  vehicle_type: string;
  /** What vehicles of a vehicle type are drawn as; `unspecified` for all other kinds. */
  icon_type: DeviceIconType;
  /** Litres in the tank of a vehicle model; 0 for unknown. */
  fuel_capacity: number;
  /** The ends of a temperature range, in °C. */
  min_temperature: number;
  max_temperature: number;
  /** Where a warehouse is. */
  address: string;
  /** Degrees north and east of a warehouse; both absent when it is not on the map. */
  lat?: number;
  lng?: number;
  description: string;
  created_at: string;
  updated_at: string;
  row_version: number;
};
export type MasterDataList = {
  items: MasterDataEntry[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type MasterDataEntryInput = {
  /** The tenant of a new entry; only a platform owner may name another than their own, or none: then it is there for all. */
  tenant_id?: string | null;
  /** Never changes. */
  kind?: MasterDataKind;
  name?: string;
  /** The brand of a model, which a new one must have, or the group that a group lies in; empty for none. */
  parent_id?: string | null;
  /** Empty for none. */
  protocol_id?: string | null;
  port?: number | null;
  reports?: string | null;
  /** Empty for none. */
  vehicle_type_id?: string | null;
  icon_type?: DeviceIconType;
  fuel_capacity?: number | null;
  min_temperature?: number | null;
  max_temperature?: number | null;
  address?: string | null;
  lat?: number | null;
  lng?: number | null;
  description?: string | null;
};
export type ListMasterDataRequest = {
  page?: number;
  page_size?: number;
  sort?: string;
  /** Matches a part of name, brand or description. */
  q?: string;
  /** The entries of this tenant and those of the platform. */
  tenant_id?: string | null;
  /** Only these. */
  kind?: MasterDataKind | null;
  /** Only what belongs to these brands, or lies in these groups, when there are any. */
  parent_id?: string[];
  /** Only those of tenants, or only those of the platform. */
  is_own?: boolean | null;
  /** Only these, at most 500. */
  ids?: string[];
  /** Only what is exactly so called, whatever the case: by name, or by name and what is before it. */
  name?: string[];
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type BulkMasterDataRequest = {
  /** These, at most 100,000; or `filter`. */
  ids?: string[];
  /** All that this list shows, whatever its page, at most 100,000. */
  filter?: ListMasterDataRequest | null;
  /** Removes each. */
  delete?: Empty | null;
  /** Changes the fields that are present of each. */
  update?: MasterDataEntryInput | null;
};
export type MasterDataUsage = {
  /** Devices of the caller's scope. */
  devices: number;
  /** Other entries: models of a brand, groups in a group. */
  entries: number;
  /** The names of some of them, devices first. */
  names: string[];
};
export type ReplaceMasterDataRequest = {
  /** Another of its kind, which is named instead. */
  replacement_id: string;
};
export type FleetDay = {
  /** Metres, between the first and the last fix of each on that day. */
  distance: number;
  /** Seconds that engines have run between them. */
  engine_seconds: number;
  /** Devices that were heard. */
  heard: number;
  /** Devices that went 200 m or farther. */
  driven: number;
  /** Seconds that they have moved between them. */
  moving_seconds: number;
  /** Seconds that they have stood with the engine on. */
  idle_seconds: number;
  /** Trips, as in `MeterDay`. */
  trips: number;
};
export type Permission = {
  /** `<module>:<act>`, in lower case; or `manage-<things>`, which stands for every act of a module. */
  key: string;
  /** What it lets one do. Of those that the services guard, the console knows it in every language. */
  description: string;
  /** Guarded by a service, and part of the program. The others are for systems that read them from `/auth/me`. */
  is_built_in: boolean;
  row_version: number;
};
export type PermissionList = {
  items: Permission[];
  total: number;
};
export type PermissionInput = {
  key: string;
  description?: string;
};
export type Rejection = {
  /** YYYY-MM-DD, UTC. */
  day: string;
  reason: string;
  count: number;
};
export type RejectedMessage = {
  /** Its place in the dead-letter stream. */
  seq: number;
  received_at: string;
  reason: string;
  gateway: string;
  /** As the gateway wrote it. */
  imei: string;
  /** Positions refused in it, for all reasons. */
  count: number;
  /** Bytes of the original message. */
  size: number;
  /** Why other positions of the same message were refused. */
  other_reasons: string[];
};
export type RejectionList = {
  counts: Rejection[];
  /** Newest first. */
  items: RejectedMessage[];
  /** Messages in the dead-letter stream that match. */
  total: number;
  /** `before` of the next page; absent on the last. */
  next_cursor?: number;
};
export type Role = {
  id: string;
  tenant_id: string;
  name: string;
  description: string;
  /** Users who have it. */
  users: number;
  /** Permissions that it allows. */
  allowed: number;
  /** Permissions that it denies. */
  denied: number;
  row_version: number;
  created_at: string;
  updated_at: string;
};
export type RoleList = {
  items: Role[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type RoleInput = {
  /** The tenant of a new role; only a platform owner may name another than their own. */
  tenant_id?: string | null;
  name?: string;
  description?: string | null;
  /** The template that a new role's mapping is taken from; none when absent. */
  template?: string | null;
  /** The role that a new role's mapping is taken from; none when absent. */
  copy_of?: string | null;
};
export type Effect = 'unspecified' | 'none' | 'allow' | 'deny';
export type RolePermission = {
  key: string;
  effect: Effect;
};
export type RoleTemplate = {
  key: string;
  items: RolePermission[];
};
export type RoleTemplateList = {
  items: RoleTemplate[];
};
export type RolePermissions = {
  items: RolePermission[];
  /** Version of the role that this belongs to. */
  row_version: number;
};
export type RolePermissionsInput = {
  /** A permission that the caller does not hold cannot be allowed. */
  items?: RolePermission[];
};
export type SavedCommand = {
  id: string;
  tenant_id: string;
  /** Unique in its tenant. */
  name: string;
  kind: CommandKind;
  /** Of `position_periodic`: 1 to 86,400; otherwise 0. */
  interval_seconds: number;
  /** Of `output_control`: 1 to 4; otherwise 0. */
  output: number;
  output_on: boolean;
  /** Of `custom`. */
  text: string;
  description: string;
  created_at: string;
  updated_at: string;
  row_version: number;
};
export type SavedCommandList = {
  items: SavedCommand[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type SavedCommandInput = {
  /** Only a platform owner may name another than their own. */
  tenant_id?: string | null;
  name?: string;
  kind?: CommandKind;
  /** Of `position_periodic`. */
  interval_seconds?: number | null;
  /** Of `output_control`. */
  output?: number | null;
  output_on?: boolean;
  /** Of `custom`; needs the permission `command:raw`. */
  text?: string | null;
  description?: string | null;
};
export type SavedView = {
  id: string;
  /** The tenant of who made it; absent for those of platform owners. */
  tenant_id?: string;
  /** Who made it; absent for a shared one whose maker is gone. */
  user_id?: string;
  /** What they are called. */
  user_name?: string;
  /** The screen whose list it is, e.g. `devices`. */
  screen: string;
  name: string;
  /** The query of the screen's address, without the `?`. */
  query: string;
  /** Whether others see it too: everybody of the tenant, or the platform owners if one of them made it. */
  is_shared: boolean;
  created_at: string;
  updated_at: string;
  row_version: number;
};
export type SavedViewList = {
  items: SavedView[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type SavedViewInput = {
  /** Stays what it was when the view was saved. */
  screen?: string;
  /** A user has one view of a name on a screen. */
  name?: string;
  query?: string | null;
  /** One's own alone when absent. */
  is_shared?: boolean;
};
export type ShareLinkStatus = 'unspecified' | 'active' | 'expired' | 'revoked' | 'ended';
export type ShareLink = {
  id: string;
  tenant_id: string;
  name: string;
  /** The device that it shows; absent when it shows a group. */
  device_id?: string;
  /** The group that it shows; absent when it shows a device. */
  device_group_id?: string;
  expires_at: string;
  /** Whether visitors are asked for a PIN. */
  has_pin: boolean;
  /** How many visitors have opened it. */
  opened_count: number;
  last_opened_at?: string;
  /** Who made it. */
  user_id: string;
  status: ShareLinkStatus;
  /** The last part of its address. Only in the answer that makes it, since only a hash of it is kept. */
  url_token?: string;
  created_at: string;
  updated_at: string;
  row_version: number;
  /** The name of the device or group that it shows. */
  subject_name: string;
};
export type ShareLinkList = {
  items: ShareLink[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type ShareLinkInput = {
  /** Only a platform owner may name another than their own. */
  tenant_id?: string | null;
  name?: string;
  /** A device that the caller owns, or any that an admin sees. Either this or a group. Cannot be changed. */
  device_id?: string | null;
  /** A group that the caller sees. Cannot be changed. */
  device_group_id?: string | null;
  /** In the future, at most 90 days ahead. */
  expires_at?: string;
  /** 4 to 8 digits; empty for none. */
  pin?: string | null;
};
export type CostModel = 'unspecified' | 'free' | 'per_device' | 'bundle' | 'paid';
export type BillingPeriod = 'unspecified' | 'monthly' | 'yearly';
export type SubscriptionStatus = 'unspecified' | 'inactive' | 'active' | 'past_due' | 'canceled';
export type Tenant = {
  id: string;
  name: string;
  description: string;
  /** IANA name, e.g. `Asia/Jakarta`: days of reports and counters of today begin at its midnight. */
  time_zone: string;
  /** The people of an inactive tenant cannot sign in; its positions are taken in all the same. */
  active: boolean;
  row_version: number;
  created_at: string;
  updated_at: string;
  /** Its vehicles are made up and driven by a program. */
  is_demo: boolean;
  cost_model: CostModel;
  /** In the currency's minor unit of ISO 4217 (hundredths for IDR). */
  cost_per_device: SafeInteger;
  cost_bundle: SafeInteger;
  /** ISO 4217, e.g. `IDR`. */
  currency: string;
  /** 0 for no limit. */
  device_limit: number;
  /** 0 for no limit. */
  user_limit: number;
  /** Devices that the tenant has, counted by fleet. */
  used_devices: number;
  /** Users that the tenant has. */
  used_users: number;
  billing_period: BillingPeriod;
  /** Day of the month on which a period begins: 1 to 28. */
  billing_day: number;
  /** Days after an invoice's date until it is due: 0 to 90. */
  due_day: number;
  subscription_status: SubscriptionStatus;
  /** A platform owner made it or vouches for it: it binds free IMEIs at once. False for one that registered itself. */
  confirmed: boolean;
  /** NPWP, 15 or 16 digits; empty when the company named none. */
  tax_number: string;
  /** Megabytes (of 1,048,576 bytes) that the files of the tenant may take; 0 for no limit. */
  storage_limit_mb: number;
  /** A second person must agree before an engine is stopped. */
  engine_stop_consent: boolean;
  /** When it was deleted; absent for one that is not. */
  deleted_at?: string;
  /** When a deleted one is erased for good, unless the deletion is undone before. */
  erase_after?: string;
  /** Days after which positions are deleted for good: 7 to 3650; 0 keeps them for ever. */
  history_days: number;
};
export type TenantList = {
  items: Tenant[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type TenantInput = {
  name?: string;
  description?: string | null;
  time_zone?: string | null;
  active?: boolean;
  /** `free` for a new tenant when absent. */
  cost_model?: CostModel;
  cost_per_device?: number | null;
  cost_bundle?: number | null;
  currency?: string | null;
  device_limit?: number | null;
  user_limit?: number | null;
  billing_period?: BillingPeriod;
  billing_day?: number;
  due_day?: number | null;
  /** `active` for a new tenant when absent. */
  subscription_status?: SubscriptionStatus;
  /** True for a new tenant when absent. */
  confirmed?: boolean;
  /** 15 or 16 digits; dots, dashes and spaces between them are dropped. Empty for none. */
  tax_number?: string | null;
  /** 10,240 for a new tenant when absent. */
  storage_limit_mb?: number | null;
  /** False for a new tenant when absent. */
  engine_stop_consent?: boolean;
  /** 0 for a new tenant when absent. What is older than a smaller number says cannot be read any more at once, and is
    deleted for good within minutes. */
  history_days?: number | null;
};
export type ListTenantsRequest = {
  page?: number;
  page_size?: number;
  sort?: string;
  /** Matches a part of name or description. */
  q?: string;
  /** Only these, at most 500. */
  ids?: string[];
  /** Only those that are active, or are not. */
  active?: boolean | null;
  /** Only these. */
  subscription_status?: SubscriptionStatus[];
  /** Only these. */
  cost_model?: CostModel[];
  /** `true` for those that are deleted and not erased yet, instead of the others. */
  deleted?: boolean;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type BulkTenantsRequest = {
  /** These, at most 100,000; or `filter`. */
  ids?: string[];
  /** All that this list shows, whatever its page, at most 100,000. */
  filter?: ListTenantsRequest | null;
  /** Changes the fields that are present of each. */
  update?: TenantInput | null;
  /** Undoes the deletion of each. */
  restore?: Empty | null;
};
export type TenantSummary = {
  total: number;
  active: number;
  inactive: number;
  subscription_active: number;
  subscription_inactive: number;
  past_due: number;
  canceled: number;
  used_devices: number;
  used_users: number;
};
export type DeleteTenantInput = {
  /** The tenant's name as it stands, typed by whoever wants it gone. */
  name: string;
};
export type ThresholdValues = {
  /** km/h from which it moves. */
  moving_speed: number;
  /** Seconds that it must not move for a stop, which ends the trip before it. */
  stop_seconds: number;
  /** Metres and seconds that a trip has at least. */
  min_trip_distance: number;
  min_trip_seconds: number;
  /** Seconds that it must stand with the engine on for that to be idle time of trips and stops: less is traffic. */
  idle_seconds: number;
  /** Seconds that it must stand with the engine on for the event `idling`. */
  idle_alert_seconds: number;
  /** Seconds without a fix after which nothing is said of the way between. */
  gap_seconds: number;
  /** Seconds after which its newest position is shown as old. */
  stale_seconds: number;
  /** Seconds after which it is offline; never less than `stale_seconds`. */
  offline_seconds: number;
  /** Metres that it must be moved with the ignition off for the event `towing`. */
  tow_distance: number;
  /** Of a device: whether its tracker is connected to the ignition. */
  ignition_wire: IgnitionWire;
};
export type TenantThresholds = {
  tenant_id: string;
  /** km/h from which a vehicle moves. */
  moving_speed: number;
  /** Seconds that a vehicle must not move for a stop, which ends the trip before it. */
  stop_seconds: number;
  /** Metres that a trip has at least. */
  min_trip_distance: number;
  /** Seconds that a trip has at least. */
  min_trip_seconds: number;
  /** Seconds that a vehicle must stand with the engine on for that to be idle time of trips and stops: less is traffic. */
  idle_seconds: number;
  /** Seconds that a vehicle must stand with the engine on for the event `idling`. */
  idle_alert_seconds: number;
  /** Seconds without a fix after which nothing is said of the way between. */
  gap_seconds: number;
  /** Seconds after which a vehicle's newest position is shown as old. */
  stale_seconds: number;
  /** Seconds after which a vehicle is offline. */
  offline_seconds: number;
  /** 0 as long as nobody has changed them. */
  row_version: number;
  /** Absent as long as nobody has changed them. */
  updated_at?: string;
  /** What holds for a tenant that has said nothing. */
  defaults: ThresholdValues;
  /** Metres that a vehicle must be moved with the ignition off for the event `towing`. */
  tow_distance: number;
};
export type TenantThresholdsInput = {
  /** Only a platform owner, who has none of their own, may name another than their own. */
  tenant_id?: string | null;
  /** km/h. */
  moving_speed?: number;
  stop_seconds?: number;
  /** Metres. */
  min_trip_distance?: number;
  min_trip_seconds?: number;
  idle_seconds?: number;
  idle_alert_seconds?: number;
  gap_seconds?: number;
  stale_seconds?: number;
  /** Not less than `stale_seconds`. */
  offline_seconds?: number;
  /** Metres. */
  tow_distance?: number;
};
export type UserStatus = 'unspecified' | 'active' | 'inactive' | 'invited';
export type RoleName = {
  id: string;
  name: string;
};
export type User = {
  id: string;
  /** Absent for platform owners, who belong to no tenant. */
  tenant_id?: string;
  name: string;
  email: string;
  phone: string;
  is_platform_owner: boolean;
  is_tenant_admin: boolean;
  is_active: boolean;
  last_login?: string;
  row_version: number;
  created_at: string;
  updated_at: string;
  /** The subscription covers this person. */
  is_subscription_active: boolean;
  status: UserStatus;
  roles: RoleName[];
  locale: Locale;
  /** Signs in with a second factor. */
  has_totp: boolean;
  /** Name of the tenant; absent with it. */
  tenant_name?: string;
};
export type UserList = {
  items: User[];
  /** Counted up to 10,000. */
  total: number;
  /** There are more than `total`. */
  more_than_total: boolean;
  /** `after` of the request for what comes next; absent at the end. */
  next?: string;
};
export type UserInput = {
  /** The tenant of a new user; only a platform owner may name another than their own. */
  tenant_id?: string | null;
  name?: string;
  email?: string;
  phone?: string | null;
  /** For a new user: required unless `invite`. Absent or empty keeps the present one. 8 to 128 characters. The user must
    change it at the first sign-in; one's own is changed in one's account. */
  password?: string | null;
  is_tenant_admin?: boolean;
  is_active?: boolean;
  is_subscription_active?: boolean;
  locale?: Locale;
  /** A new user chooses the password behind a link that `SendLink` makes. */
  invite?: boolean;
  /** The roles of a new user, from who holds `user:assign_roles`; none gives more than the caller holds. Those of a user who is
    there are set by `SetRoles`. */
  role_ids?: string[];
};
export type ListUsersRequest = {
  page?: number;
  page_size?: number;
  sort?: string;
  /** Matches a part of name, email or phone. */
  q?: string;
  tenant_id?: string | null;
  /** Only these, at most 500. */
  ids?: string[];
  /** Only these. */
  status?: UserStatus[];
  /** Only whom the subscription covers, or does not. */
  is_subscription_active?: boolean | null;
  /** Only who has one of these roles. */
  role_id?: string[];
  /** Only who administers the tenant, or does not. */
  is_tenant_admin?: boolean | null;
  /** Only those that are exactly so called, whatever the case: by name, email or phone. */
  name?: string[];
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type UserRolesInput = {
  /** At least one, of the user's tenant, none that grants more than the caller holds. */
  role_ids?: string[];
};
export type BulkUsersRequest = {
  /** These, at most 100,000; or `filter`. */
  ids?: string[];
  /** All that this list shows, whatever its page, at most 100,000. */
  filter?: ListUsersRequest | null;
  /** Removes each for good. */
  delete?: Empty | null;
  /** Changes the fields that are present of each; no password. */
  update?: UserInput | null;
  /** Sets the roles of each, all of them. */
  set_roles?: UserRolesInput | null;
};
export type UserSummary = {
  total: number;
  active: number;
  inactive: number;
  invited: number;
  tenant_admins: number;
  subscription_active: number;
  with_totp: number;
  never_signed_in: number;
};
export type DecisionReason =
  | 'unspecified'
  | 'platform_owner'
  | 'tenant_admin'
  | 'role_denies'
  | 'role_allows'
  | 'no_role_allows'
  | 'user_inactive'
  | 'tenant_inactive';
export type RoleSays = {
  role_id: string;
  role_name: string;
  effect: Effect;
  /** The permission by which the role says so when it is another one: `manage-users` says the same of every `user:…`. */
  through?: string;
};
export type Decision = {
  key: string;
  allowed: boolean;
  reason: DecisionReason;
  /** All roles of the user, those that decided first. */
  roles: RoleSays[];
};
export type DecisionList = {
  items: Decision[];
};
export type UserAccessReason = {
  reason: DeviceAccessReason;
  /** Devices that are seen for it. */
  devices: number;
  /** What the user may do with them, as permissions. */
  permissions: string[];
};
export type UserAccess = {
  user_id: string;
  user_name: string;
  /** What keeps the user from seeing anything; absent when nothing does. */
  obstacle?: DeviceAccessObstacle;
  /** Each reason that holds; an admin has one. */
  reasons: UserAccessReason[];
  /** Links whose last day is over. */
  ended: number;
};
export type SentLink = {
  /** Sent by mail to this address; absent when no mail server is configured. */
  mailed_to?: string;
  /** The link itself, for the admin to hand over, when no mail server is configured. Holds once. */
  link?: string;
  expires_at: string;
};
export type LinkPurpose = 'unspecified' | 'invitation' | 'password_reset' | 'email_verification';
export type SendLinkRequest = {
  purpose?: LinkPurpose;
};
export type WsTicket = {
  ticket: string;
};
export type EmailRequest = {
  email: string;
};
export type OpenLink = {
  purpose: LinkPurpose;
  email: string;
  name: string;
  /** Absent for platform owners. */
  tenant_name?: string;
};
export type LinkToken = {
  token?: string;
};
export type UseLinkRequest = {
  token?: string;
  /** 8 to 128 characters. */
  new_password?: string | null;
};
export type LoginResponse = {
  /** Access token, EdDSA, at most ten minutes. */
  token: string;
  user: SessionUser;
};
export type LoginRequest = {
  email?: string;
  password?: string;
  /** Six digits of the authenticator, or a recovery code; needed when the answer without one is `totp_required`. */
  code?: string | null;
};
export type OidcCodeRequest = {
  /** Six digits of the authenticator, or a recovery code. */
  code?: string;
};
export type SignInOptions = {
  /** Companies may register themselves. */
  registration: boolean;
  /** Links by mail arrive; without, an admin hands them over. */
  mail: boolean;
  /** Name of the provider by which one may sign in as well, e.g. of the company's directory; absent when there is none. */
  oidc_name?: string;
  /** The page with the terms that whoever registers accepts; absent when none is configured. */
  terms_url?: string;
};
export type RegistrationInput = {
  company: string;
  name: string;
  email: string;
  phone: string;
  /** NPWP, 15 or 16 digits; dots, dashes and blanks are passed over. Empty for none. */
  tax_number?: string;
  /** Must be true. */
  accepts_terms: boolean;
  locale?: Locale;
};
