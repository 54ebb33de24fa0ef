import type { ShareLink } from '@/api/generated';
import { showAddress } from '@/components/shareAddress';
import { defineResource, type Values } from '@/resource/defineResource';
import { choice, entity, flag, instant, number, text } from '@/resource/fields';
import { AddressPart } from './AddressPart';
import { ExpiryField } from './ExpiryField';
import { EndedNotice, LinkStatusCell, SubjectCell } from './LinkCells';
import { STATUS_TONES } from './linkStatus';

const STATUSES = ['active', 'expired', 'revoked', 'ended'] as const;

/** Of a new link: what it shows. */
const ofVehicle = ({ subject }: Values) => subject === 'vehicle';
const ofGroup = ({ subject }: Values) => subject === 'group';

/** Addresses by which people without an account see vehicles for a while. */
export default defineResource<ShareLink>({
  key: 'share-links',
  fields: {
    name: text({ column: { fixed: true, width: 165 }, form: { first: true } }),
    tenant_id: entity({
      of: 'tenants',
      ability: 'platform_owner',
      column: { width: 130, file: ['tenant'] },
      filter: true,
      form: { required: true, newOnly: true, resets: ['device_id', 'device_group_id'] },
    }),
    subject_name: text<ShareLink>({ column: { width: 155, phone: 'below', Cell: SubjectCell } }),
    status: choice({
      values: STATUSES,
      tones: STATUS_TONES,
      column: { width: 130, phone: 'beside' },
      filter: { multiple: true },
    }),
    subject: choice({
      values: ['vehicle', 'group'],
      column: false,
      form: { newOnly: true, unsent: true, initial: 'vehicle' },
    }),
    device_id: entity({
      of: 'devices',
      within: 'tenant_id',
      column: false,
      filter: true,
      form: { newOnly: true, required: ofVehicle, only: { subject: 'vehicle' } },
    }),
    device_group_id: entity({
      of: 'master-data',
      where: { kind: 'device_group' },
      within: 'tenant_id',
      column: false,
      filter: true,
      form: { newOnly: true, required: ofGroup, only: { subject: 'group' } },
    }),
    expires_at: instant({
      exact: true,
      column: { width: 160, phone: 'below' },
      form: { required: true, Input: ExpiryField },
    }),
    pin: text({ column: false, form: { read: () => '', inputMode: 'numeric' } }),
    removes_pin: flag<ShareLink>({
      column: false,
      form: { read: () => false, allowed: (link) => link?.has_pin === true },
    }),
    has_pin: flag({ column: { optional: true, width: 110 } }),
    opened_count: number({ column: { width: 90 } }),
    last_opened_at: instant({ none: 'never', column: { width: 130 } }),
    user_id: entity({
      of: 'users',
      ability: 'user:list',
      column: { width: 140, file: ['user'] },
      filter: true,
    }),
    created_at: instant({ column: { optional: true, width: 140 } }),
    updated_at: instant({ column: { optional: true, width: 140 } }),
    id: text({ column: { optional: true, width: 110 } }),
  },
  form: {
    sections: {
      link: ['name', 'tenant_id', 'subject', 'device_id', 'device_group_id', 'expires_at', 'pin', 'removes_pin'],
    },
    readOnly: ({ status }) => status === 'revoked',
    send: ({ values, input: { removes_pin: removes, ...input }, base, calls }) => {
      // Who types another one does not want none.
      const pin = removes === true && values.pin === '' ? { pin: '' } : {};
      const sent = { ...input, ...pin };
      return base ? calls.update(base.id, base.row_version, sent) : calls.create(sent);
    },
    saved: (saved, before) => {
      if (!before) showAddress(saved);
    },
  },
  parts: { address: { Part: AddressPart } },
  Subtitle: LinkStatusCell,
  Above: EndedNotice,
  refetchOnVisit: true,
  pollSeconds: 30,
});
