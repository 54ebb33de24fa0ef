import { expect, it } from 'vitest';
import { describeResource } from '@/testing/describeResource';
import { setUpTestServer } from '@/testing/server';
import type { Resource } from './defineResource';
import { REGISTRY, type ResourceKey } from './registry';

setUpTestServer();

const definitions = Object.values(
  import.meta.glob<Resource>('../features/*/*.resource.tsx', { eager: true, import: 'default' }),
);

/** What of a row does not follow from the fields. */
const MORE: Partial<Record<ResourceKey, object>> = {
  alarms: {
    kind: 'alarm.sos',
    severity: 'critical',
    state: 'open',
    device_id: 'device-1',
    device_name: 'Truk 2',
    count: 3,
    lat: -6.2,
    lng: 106.8,
    note: '',
    acknowledged_at: undefined,
    acknowledged_by: undefined,
  },
  audit: { act: 'device:update', object_kind: 'device', object_name: 'Truk 2', hash: 'ab' },
  'device-members': { device_name: 'Truk 2', ends_on: '' },
  devices: {
    imei: '356938035643809',
    imei_status: 'bound',
    warnings: [],
    stop_seconds: 300,
    idle_alert_seconds: 600,
    gap_seconds: 3600,
    stale_seconds: 300,
    offline_seconds: 600,
    tow_distance: 150,
  },
  documents: { reminder_days: '30,7', subject: 'vehicle', state: 'expiring', days_left: 3, files: [] },
  events: {
    kind: 'vehicle.overspeed',
    device_id: 'device-1',
    device_name: 'Truk 2',
    title: '',
    value: 93,
    limit: 80,
    lat: -6.2,
    lng: 106.8,
    recorded_at: '2026-11-01T00:00:01Z',
  },
  gateways: { is_anonymous: false, has_previous_secret: false, rejections: [] },
  'heard-imeis': { gateways: ['gt06'], more_gateways: false, check_digit_ok: true },
  'imei-claims': { heard_known: true, check_digit_ok: true },
  maintenance: {
    notification_emails: '',
    due_odometer: 45000,
    due_engine_hours: 0,
    is_forecast: false,
    vehicle_code: 'B 1',
  },
  'maintenance-logs': { currency: 'IDR', vehicle_code: 'B 1', files: [] },
  'master-data': { label: 'Contoh name' },
  permissions: { key: 'erp:sync', name: 'erp:sync', is_built_in: false },
  tenants: { tax_number: '' },
  users: {
    email: 'sari@example.test',
    roles: [{ id: 'role-1', name: 'Manajer' }],
    is_tenant_admin: false,
    locale: 'id',
  },
};

for (const resource of definitions) describeResource(resource, MORE[resource.key]);

it('is every resource of the registry', () => {
  expect(definitions.map(({ key }) => key).sort()).toEqual(Object.keys(REGISTRY).sort());
});
