import { IconUserCheck, IconUserOff, IconUserPause } from '@tabler/icons-react';
import type { Driver } from '@/api/types';
import { DocumentsOf } from '@/components/DocumentsOf';
import { DrivingHistory } from '@/components/DrivingHistory';
import { lazyPart } from '@/lib/lazyPart';
import { defineResource } from '@/resource/defineResource';
import { choice, date, entity, instant, text } from '@/resource/fields';
import { REMOVE } from '@/resource/useBulkActs';
import { ContactCell, LicenseCell, VehicleCell } from './DriverCells';

const DriverNow = lazyPart(async () => (await import('./DriverNow')).DriverNow);

/** Whoever drives the vehicles. */
export default defineResource<Driver>({
  key: 'drivers',
  fields: {
    name: text({ column: { fixed: true, width: 165 }, form: { first: true } }),
    tenant_id: entity({
      of: 'tenants',
      ability: 'platform_owner',
      column: { width: 110, file: ['tenant'] },
      filter: true,
      form: { required: true, newOnly: true },
    }),
    phone: text({
      column: { label: 'field.contact', width: 145, phone: 'below', Cell: ContactCell, file: ['phone', 'email'] },
      form: { inputMode: 'tel' },
    }),
    license_expiry: date({
      column: {
        label: 'field.license',
        width: 210,
        phone: 'below',
        Cell: LicenseCell,
        file: ['license_number', 'license_class', 'license_expiry'],
      },
      form: {},
    }),
    license_plate: text({
      column: {
        label: 'field.vehicle',
        width: 175,
        phone: 'below',
        Cell: VehicleCell,
        file: ['vehicle_type', 'license_plate'],
      },
      form: {},
    }),
    status: choice({
      values: ['available', 'on_duty', 'off_duty', 'inactive'],
      tones: { available: 'positive', on_duty: 'info', off_duty: 'neutral', inactive: 'neutral' },
      column: { width: 135, phone: 'beside' },
      filter: { multiple: true },
      form: { initial: 'available' },
    }),
    home_base: text({ column: { width: 115 }, form: {} }),
    email: text({ column: false, form: { inputMode: 'email' } }),
    license_number: text({ column: false, form: {} }),
    license_class: text({ column: false, form: {} }),
    vehicle_type: text({ column: false, form: {} }),
    identification: text({ tabular: true, column: { optional: true, width: 160 }, form: {} }),
    notes: text({ column: { optional: true, width: 220 }, form: { multiline: true } }),
    created_at: instant({ column: { optional: true, width: 140 } }),
    updated_at: instant({ column: { optional: true, width: 140 } }),
    id: text({ column: { optional: true, width: 110 } }),
  },
  form: {
    sections: {
      person: ['name', 'tenant_id', 'status', 'phone', 'email', 'identification'],
      license: ['license_number', 'license_class', 'license_expiry'],
      vehicle: ['vehicle_type', 'license_plate', 'home_base'],
      notes: ['notes'],
    },
  },
  bulk: [
    { name: 'available', icon: IconUserCheck, right: 'update', act: { update: { status: 'available' } } },
    { name: 'off_duty', icon: IconUserPause, right: 'update', act: { update: { status: 'off_duty' } } },
    { name: 'inactive', icon: IconUserOff, right: 'update', act: { update: { status: 'inactive' } } },
    REMOVE,
  ],
  now: { Part: DriverNow },
  parts: {
    history: { Part: ({ row }) => <DrivingHistory driverId={row.id} /> },
    documents: { ability: 'document:list', Part: ({ row }) => <DocumentsOf driverId={row.id} /> },
  },
});
