import { IconFolder, IconPlayerPause, IconPlayerPlay, IconSend, IconTag, IconUser } from '@tabler/icons-react';
import { devicesApi } from '@/api/calls/devices';
import type { Device } from '@/api/types';
import { DocumentsOf } from '@/components/DocumentsOf';
import { DrivingHistory } from '@/components/DrivingHistory';
import { SharesOf } from '@/components/SharesOf';
import { MaintenanceOf } from '@/components/MaintenanceOf';
import { hasWrongCheckDigit, lacksCheckDigit, TRACKER_ID, trackerId } from '@/lib/imei';
import { lazyPart } from '@/lib/lazyPart';
import { THRESHOLDS } from '@/lib/thresholds';
import { toastWarning } from '@/lib/toast';
import { useSelectedUserParams } from '@/lib/useSelectedUserParams';
import { VEHICLE_STATES } from '@/live/vehicleState';
import { defineResource, type Question, type Values } from '@/resource/defineResource';
import { choice, entity, instant, number, shown, text } from '@/resource/fields';
import type { ResourceText } from '@/resource/texts';
import { REMOVE } from '@/resource/useBulkActs';
import { DeviceActs, DeviceHead } from './DeviceHead';
import { ENTRIES, FACTS, OWN_THRESHOLDS, SECRETS } from './deviceFields';
import { DeviceTabs } from './DeviceTabs';
import { ImeiCell } from './ImeiCell';
import { ImeiNotice } from './ImeiNotice';
import { LivePlace, LiveSpeed, LiveState, LiveToday, StateCell } from './LiveCells';
import { sendDevice } from './sendDevice';
import { SetUpDevice, SetUpStepByStep } from './SetupLinks';
import { ThresholdsNote } from './ThresholdInput';

const DeviceMeters = lazyPart(async () => (await import('@/components/meters/DeviceMeters')).DeviceMeters);
const DeviceNow = lazyPart(async () => (await import('./DeviceNow')).DeviceNow);
const DeviceMessages = lazyPart(async () => (await import('./DeviceMessages')).DeviceMessages);
const DeviceAccess = lazyPart(async () => (await import('@/components/DeviceAccess')).DeviceAccess);

const EventsOf = lazyPart(async () => (await import('@/components/events/EventsOf')).EventsOf);
const CommandsOf = lazyPart(async () => (await import('@/components/commands/CommandsOf')).CommandsOf);
const SendToMany = lazyPart(async () => (await import('@/components/commands/SendToMany')).SendToMany);

const ICON_TYPES = ['car', 'van', 'pickup', 'truck', 'bus', 'motorcycle', 'heavy_equipment'] as const;

/** Saving a change asks first; the specification wants that for devices. So does what looks like a typing error. */
function question({ imei, status }: Values, device: Device | undefined, t: ResourceText): Question | undefined {
  const typed = imei as string;
  const isNew = typed !== device?.imei;
  const short = isNew && lacksCheckDigit(typed) ? t('confirmImei.short', { imei: typed }) : '';
  const odd = isNew && hasWrongCheckDigit(typed) ? t('confirmImei.text', { imei: typed }) : short;
  if (!device) return odd ? { title: t('confirmImei.title'), text: odd } : undefined;
  const deactivates = device.status === 'active' && status === 'inactive';
  const about = deactivates ? t('confirmEdit.deactivates') : t('confirmEdit.text');
  return { title: t('confirmEdit.title', { name: device.name }), text: `${about} ${odd}`.trim() };
}

/** The vehicles with their trackers. */
export default defineResource<Device>({
  key: 'devices',
  fields: {
    name: text({ column: { fixed: true, width: 166 }, form: { first: true } }),
    tenant_id: entity({
      of: 'tenants',
      ability: 'platform_owner',
      column: { width: 90, file: ['tenant'] },
      filter: true,
      form: {
        required: true,
        newOnly: true,
        resets: ['user_id', 'primary_driver_id', 'group_ids', ...Object.keys(ENTRIES)],
      },
    }),
    vehicle_code: text({
      tabular: true,
      column: { width: 104, phone: 'below' },
      form: {},
    }),
    live: choice<Device>({
      values: VEHICLE_STATES,
      column: { width: 176, phone: 'beside', file: [], Cell: StateCell },
      filter: { name: 'live_state', multiple: true, ability: 'position:live' },
    }),
    speed: shown<Device>({
      column: { label: 'unit.speed', align: 'right', width: 70 },
      cell: ({ id }) => <LiveSpeed deviceId={id} />,
    }),
    place: shown<Device>({
      column: { width: 196 },
      cell: ({ id }) => <LivePlace deviceId={id} />,
    }),
    today: shown<Device>({
      column: { align: 'right', width: 114 },
      cell: ({ id }) => <LiveToday deviceId={id} />,
    }),
    primary_driver: text({ column: { width: 140, phone: 'below' } }),
    primary_driver_id: entity({
      of: 'drivers',
      label: 'field.primary_driver',
      clearable: true,
      within: 'tenant_id',
      column: false,
      form: {},
    }),
    ...ENTRIES,
    ...FACTS,
    ...SECRETS,
    icon_type: choice({
      values: ICON_TYPES,
      column: { optional: true, width: 130 },
      filter: { multiple: true },
      form: { initial: 'car' },
    }),
    imei: text<Device>({
      column: { optional: true, width: 160, Cell: ImeiCell },
      form: { pattern: TRACKER_ID, clean: trackerId, Below: ImeiNotice },
    }),
    status: choice({
      values: ['active', 'inactive'],
      tones: { active: 'positive', inactive: 'neutral' },
      // Of those that are not active the state says so.
      column: { optional: true, width: 120 },
      filter: true,
      form: { initial: 'active' },
    }),
    updated_at: instant({ column: { optional: true, width: 140 } }),
    id: text({ column: { optional: true, width: 110 } }),
    sim_number: text({ column: { optional: true, width: 150 }, form: { inputMode: 'tel' } }),
    max_parking_time: number({ per: 60, column: false, form: { unit: 'unit.minutes' } }),
    speed_limit: number({ column: false, form: { unit: 'unit.speed' } }),
    ...OWN_THRESHOLDS,
    user_id: entity({
      of: 'users',
      ability: 'user:list',
      clearable: true,
      within: 'tenant_id',
      column: { optional: true, file: ['owner'] },
      filter: { name: 'userIds', multiple: true, label: 'field.user' },
      form: {},
    }),
  },
  form: {
    tabs: {
      basic: [
        'name',
        'imei',
        'vehicle_code',
        'tenant_id',
        'user_id',
        'group_ids',
        'primary_driver_id',
        'status',
        'sim_number',
        'max_parking_time',
        'speed_limit',
      ],
      gps: ['gps_model_id', 'gps_brand_id', 'gps_protocol_id', 'tracker_serial_number', 'password', 'removes_password'],
      vehicle: [
        'vehicle_model_id',
        'vehicle_brand_id',
        'vehicle_type_id',
        'icon_type',
        'vehicle_status_id',
        'device_category_id',
        'license_expiry',
        'engine_number',
        'chassis_number',
        'capacity_volume',
        'capacity_weight',
        'cargo_category_id',
        'temperature_range_id',
        'has_hazmat_certificate',
      ],
      fuel: ['fuel_capacity', 'fuel_source', 'fuel_attribute', 'fuel_table'],
      configuration: [
        'odometer_source',
        'engine_hours_source',
        'ignition_wire',
        'warehouse_id',
        'allowed_zones',
        'wms_routing_profile',
        'maintenance_status',
        ...THRESHOLDS,
      ],
    },
    sections: { thresholds: THRESHOLDS },
    notes: { thresholds: ThresholdsNote },
    question,
    send: sendDevice,
    explain: (wrong, t) => (wrong.includes('name') || wrong.includes('imei') ? t('required') : undefined),
    saved: (saved, before, t) => {
      if (saved.imei_status === 'pending' && before?.imei !== saved.imei) toastWarning(t('imei.pendingText'));
    },
  },
  bulk: [
    { name: 'command', icon: IconSend, ability: 'command:create', Dialog: SendToMany },
    { name: 'activate', icon: IconPlayerPlay, right: 'update', act: { update: { status: 'active' } } },
    { name: 'deactivate', icon: IconPlayerPause, right: 'update', act: { update: { status: 'inactive' } } },
    { name: 'group', icon: IconFolder, right: 'update', field: 'group_ids' },
    { name: 'owner', icon: IconUser, right: 'update', field: 'user_id' },
    { name: 'vehicleStatus', icon: IconTag, right: 'update', field: 'vehicle_status_id' },
    REMOVE,
  ],
  remove: {
    undo: async ({ id }, dispatch) => dispatch(devicesApi.endpoints.restoreDevice.initiate({ id })),
  },
  Toolbar: DeviceTabs,
  duplicate: {
    without: [
      'name',
      'imei',
      'vehicle_code',
      'sim_number',
      'tracker_serial_number',
      'engine_number',
      'chassis_number',
      'password',
      'removes_password',
    ],
  },
  wide: true,
  now: { Part: DeviceNow, tabs: ['events', 'documents', 'maintenance'] },
  parts: {
    events: { ability: 'event:list', Part: ({ row }) => <EventsOf deviceId={row.id} /> },
    commands: { ability: 'command:list', Part: ({ row }) => <CommandsOf deviceId={row.id} /> },
    meters: { ability: 'device:list', Part: ({ row }) => <DeviceMeters device={row} /> },
    history: { ability: 'driver:list', Part: ({ row }) => <DrivingHistory deviceId={row.id} /> },
    access: { ability: 'device_member:list', Part: ({ row }) => <DeviceAccess deviceId={row.id} /> },
    documents: { ability: 'document:list', Part: ({ row }) => <DocumentsOf deviceId={row.id} /> },
    shares: { ability: 'share_link:list', Part: ({ row }) => <SharesOf deviceId={row.id} /> },
    maintenance: {
      ability: 'maintenance:list',
      Part: ({ row }) => <MaintenanceOf deviceId={row.id} tenantId={row.tenant_id} />,
    },
  },
  Subtitle: ({ row }) => (
    <>
      <LiveState deviceId={row.id} /> <SetUpDevice row={row} />
    </>
  ),
  AddMore: SetUpStepByStep,
  page: {
    Head: DeviceHead,
    Acts: DeviceActs,
    after: { messages: { ability: 'position:history', Part: DeviceMessages } },
  },
  useScope: useSelectedUserParams,
});
