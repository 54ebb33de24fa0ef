import type { Document } from '@/api/generated';
import { DocumentExpiry } from '@/components/DocumentExpiry';
import { FilesField } from '@/components/files/FilesField';
import { defineResource } from '@/resource/defineResource';
import { choice, date, entity, instant, text } from '@/resource/fields';
import { REMOVE } from '@/resource/useBulkActs';
import { FilesCell, SubjectCell } from './DocumentCells';
import { StorageNote } from './StorageNote';

const KINDS = ['stnk', 'tax', 'kir', 'permit', 'insurance', 'license', 'other'] as const;

/** Documents of vehicles and drivers, and when they expire. */
export default defineResource<Document>({
  key: 'documents',
  fields: {
    subject_name: text<Document>({
      column: { fixed: true, width: 210, Cell: SubjectCell, file: ['subject_name', 'subject_code'] },
    }),
    tenant_id: entity({
      of: 'tenants',
      ability: 'platform_owner',
      column: { width: 145, file: ['tenant'] },
      filter: true,
      form: { required: true, newOnly: true, resets: ['device_id', 'driver_id', 'file_ids'] },
    }),
    kind: choice({
      values: KINDS,
      column: { width: 140, phone: 'below' },
      filter: { multiple: true },
      form: { initial: KINDS[0], required: true },
    }),
    number: text({ tabular: true, column: { width: 170 }, form: { first: true } }),
    expires_on: date<Document>({
      column: { width: 210, phone: 'beside', Cell: DocumentExpiry, file: ['expires_on', 'state'] },
      form: {},
    }),
    state: choice({ values: ['valid', 'expiring', 'expired', 'none'], column: false, filter: { multiple: true } }),
    subject: choice({
      values: ['vehicle', 'driver'],
      column: { optional: true, width: 130 },
      filter: true,
      form: { newOnly: true, unsent: true, initial: 'vehicle' },
    }),
    device_id: entity({
      of: 'devices',
      within: 'tenant_id',
      column: false,
      filter: true,
      form: { newOnly: true, required: ({ subject }) => subject === 'vehicle', only: { subject: 'vehicle' } },
    }),
    driver_id: entity({
      of: 'drivers',
      within: 'tenant_id',
      column: false,
      filter: true,
      form: { newOnly: true, required: ({ subject }) => subject === 'driver', only: { subject: 'driver' } },
    }),
    name: text({ column: { optional: true, width: 200 }, form: {} }),
    issued_on: date({ column: { optional: true, width: 130 }, form: {} }),
    reminder_days: text({
      column: { optional: true, width: 150 },
      form: { initial: '30,14,7,1,0', pattern: '^$|^[0-9]{1,3}( *, *[0-9]{1,3}){0,9}$' },
    }),
    file_ids: text<Document>({
      label: 'field.files',
      column: { width: 110, Cell: FilesCell, file: ['files'] },
      form: { read: ({ files = [] }) => files.map(({ id }) => id).join(','), Input: FilesField },
    }),
    notes: text({ column: { optional: true, width: 220 }, form: { multiline: true } }),
    created_at: instant({ column: { optional: true, width: 140 } }),
    updated_at: instant({ column: { optional: true, width: 140 } }),
    id: text({ column: { optional: true, width: 110 } }),
  },
  form: {
    sections: {
      document: ['tenant_id', 'subject', 'device_id', 'driver_id', 'kind', 'number', 'name'],
      validity: ['issued_on', 'expires_on', 'reminder_days'],
      files: ['file_ids', 'notes'],
    },
    notes: { files: StorageNote },
  },
  summary: [
    { name: 'total' },
    ...(['expired', 'expiring', 'valid', 'none'] as const).map((name) => ({
      name,
      filter: { name: 'state', value: name },
    })),
  ],
  Subtitle: DocumentExpiry,
  bulk: [REMOVE],
});
