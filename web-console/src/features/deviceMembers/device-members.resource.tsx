import { IconCalendarEvent, IconCalendarOff, IconUserCog } from '@tabler/icons-react';
import type { DeviceMember } from '@/api/generated';
import { defineResource, type Question, type SendParts, type Values } from '@/resource/defineResource';
import { choice, date, entity, instant, shown, text } from '@/resource/fields';
import type { ResourceText } from '@/resource/texts';
import { REMOVE } from '@/resource/useBulkActs';
import { MemberFacts, MemberUser } from './MemberFacts';
import { MemberForm } from './MemberForm';
import { MEMBER_ROLES, ROLE_TONES } from './memberRoles';
import { MemberTabs } from './MemberTabs';
import { RoleField } from './RoleField';

/** Whoever becomes an owner takes the place of another; and who is none any more leaves the device without one. */
function question({ role }: Values, member: DeviceMember | undefined, t: ResourceText): Question | undefined {
  if (!member || (role === 'owner') === (member.role === 'owner')) return undefined;
  const name = member.device_name;
  return role === 'owner'
    ? { title: t('confirmOwner.title', { name }), text: t('confirmOwner.text') }
    : { title: t('confirmNoOwner.title', { name }), text: t('confirmNoOwner.text') };
}

/** An owner's link has no end: that of a link that becomes one is taken back with it. */
function send({ values, input, base, calls }: SendParts<DeviceMember>) {
  if (!base) return calls.create(input);
  const endless = values.role === 'owner' && base.ends_on !== '';
  return calls.update(base.id, base.row_version, endless ? { ...input, ends_on: '' } : input);
}

/** Who is linked to which device, as what, and until when. */
export default defineResource<DeviceMember>({
  key: 'device-members',
  fields: {
    device: shown<DeviceMember>({
      column: { fixed: true, width: 180, file: ['device_name'] },
      cell: ({ device_name: name }) => name,
    }),
    vehicle_code: text({ tabular: true, column: { width: 120, phone: 'below' } }),
    imei: text({ tabular: true, column: { optional: true, width: 160 } }),
    user_id: entity({
      of: 'users',
      ability: 'user:list',
      column: { width: 180, phone: 'below', file: ['user'] },
      filter: { multiple: true },
    }),
    device_id: entity({ of: 'devices', column: false, filter: { multiple: true } }),
    tenant_id: entity({
      of: 'tenants',
      ability: 'platform_owner',
      column: { optional: true, width: 160, file: ['tenant'] },
      filter: true,
    }),
    role: choice({
      values: MEMBER_ROLES,
      tones: ROLE_TONES,
      column: { width: 130, phone: 'beside' },
      filter: { multiple: true },
      form: { required: true, Input: RoleField },
    }),
    ends_on: date({
      column: { width: 130 },
      form: { only: { role: ['technician', 'viewer'] } },
    }),
    status: choice({
      values: ['active', 'ended'],
      tones: { active: 'positive', ended: 'neutral' },
      column: { width: 115 },
      filter: true,
    }),
    created_at: instant({ column: { width: 130 } }),
    updated_at: instant({ column: { optional: true, width: 140 } }),
    id: text({ column: { optional: true, width: 110 } }),
  },
  form: { question, send },
  nameOf: ({ device_name: name }) => name,
  Form: MemberForm,
  Above: MemberFacts,
  Subtitle: MemberUser,
  Toolbar: MemberTabs,
  bulk: [
    { name: 'role', icon: IconUserCog, right: 'update', field: 'role' },
    { name: 'endsOn', icon: IconCalendarEvent, right: 'update', field: 'ends_on' },
    { name: 'endless', icon: IconCalendarOff, right: 'update', act: { update: { ends_on: '' } } },
    REMOVE,
  ],
  remove: {
    text: ({ role, device_name: name }, t) =>
      role === 'owner' ? t('confirmDelete.owner', { name }) : t('confirmDelete.text', { name }),
  },
});
