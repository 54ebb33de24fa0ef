import { IconUserCheck, IconUserOff } from '@tabler/icons-react';
import type { User } from '@/api/types';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '@/i18n/languages';
import { lazyPart } from '@/lib/lazyPart';
import { defineResource } from '@/resource/defineResource';
import { choice, entity, flag, instant, shown, tags, text } from '@/resource/fields';
import { REMOVE } from '@/resource/useBulkActs';
import { LinkHost } from './LinkDialog';
import { UserActs } from './UserActs';
import { RolesField } from './RolesField';
import { sendUser } from './sendUser';
import { UserRoles, UserStatusCell } from './userCells';
import { RolesNote, StatusNote } from './UserNotes';
import { givesRoles, isOwn, makesAdmins, subscribes } from './userRights';
import { VEHICLE_FIELDS } from './vehicleFields';

const UserAccess = lazyPart(async () => (await import('@/components/UserAccess')).UserAccess);

/** The people who sign in. */
export default defineResource<User>({
  key: 'users',
  fields: {
    name: text({ column: { fixed: true, width: 165 }, form: { first: true } }),
    email: text({ column: { width: 190, phone: 'below' }, form: { inputMode: 'email' } }),
    phone: text({ tabular: true, column: { width: 145 }, form: { inputMode: 'tel' } }),
    tenant_name: text({ ability: 'platform_owner', column: { width: 150 } }),
    roles: shown<User>({ column: { width: 150, file: ['roles'] }, cell: (user) => <UserRoles user={user} /> }),
    status: choice({
      values: ['active', 'inactive', 'invited'],
      tones: { active: 'positive', inactive: 'neutral', invited: 'info' },
      column: { width: 115, phone: 'beside' },
      filter: { multiple: true },
    }),
    last_login: instant({ none: 'never', column: { width: 140 } }),
    is_tenant_admin: flag<User>({ column: { optional: true, width: 130 }, form: { allowed: makesAdmins } }),
    is_subscription_active: flag<User>({
      column: { optional: true, width: 150 },
      filter: true,
      form: { allowed: subscribes, initial: true },
    }),
    has_totp: flag({ column: { optional: true, width: 150 } }),
    created_at: instant({ column: { optional: true, width: 130 } }),
    updated_at: instant({ column: { optional: true, width: 130 } }),
    id: text({ column: { optional: true, width: 110 } }),
    role_id: entity({ of: 'roles', column: false, filter: { multiple: true, ability: 'role:list' } }),
    tenant_id: entity({
      of: 'tenants',
      ability: 'platform_owner',
      column: false,
      filter: true,
      // Roles and vehicles belong to their tenant.
      form: { newOnly: true, required: true, resets: ['role_ids', 'vehicle_group_ids', 'vehicle_ids'] },
    }),
    locale: choice({
      values: LANGUAGES,
      say: (value) => LANGUAGE_NAMES[value as Language],
      column: false,
      form: { initial: 'id' },
    }),
    // How the user gets in: by an invitation, or by a password that somebody else has chosen.
    invite: flag({ ability: 'user:invite', column: false, form: { newOnly: true, unsent: true } }),
    password: text<User>({
      secret: true,
      column: false,
      form: {
        // One's own is changed in one's account, with the present one.
        allowed: (user, person) => !isOwn(user, person),
        required: (_values, isNew) => isNew,
        minLength: 8,
        maxLength: 128,
        only: { invite: false },
        read: () => '',
      },
    }),
    role_ids: tags<User>({
      label: 'field.roles',
      column: false,
      form: {
        allowed: givesRoles,
        right: 'assign_roles',
        read: ({ roles }) => roles.map(({ id }) => id),
        // Later an admin needs none, since admins may do everything.
        required: ({ is_tenant_admin }, isNew) => isNew || !is_tenant_admin,
        Input: RolesField,
      },
    }),
    ...VEHICLE_FIELDS,
    is_active: flag<User>({
      column: false,
      form: { initial: true, allowed: (user, person) => user !== undefined && !isOwn(user, person) },
    }),
  },
  summary: [
    { name: 'total' },
    ...(['active', 'inactive', 'invited'] as const).map((name) => ({ name, filter: { name: 'status', value: name } })),
    { name: 'subscription_active', filter: { name: 'is_subscription_active', value: 'true' } },
    { name: 'tenant_admins' },
    { name: 'with_totp' },
    { name: 'never_signed_in' },
  ],
  bulk: [
    { name: 'activate', icon: IconUserCheck, right: 'update', act: { update: { is_active: true } } },
    { name: 'deactivate', icon: IconUserOff, right: 'update', act: { update: { is_active: false } } },
    REMOVE,
  ],
  // Nobody shuts themselves out.
  remove: { allowed: ({ id }, person) => id !== person?.id },
  form: {
    sections: {
      person: ['name', 'email', 'phone', 'locale'],
      entry: ['invite', 'password'],
      rights: ['tenant_id', 'role_ids', 'is_tenant_admin', ...Object.keys(VEHICLE_FIELDS)],
      status: ['is_subscription_active', 'is_active'],
    },
    notes: { rights: RolesNote, status: StatusNote },
    question: ({ is_active, password }, user, t) => {
      if (!user) return undefined;
      const consequence = user.is_active && !is_active ? 'deactivates' : password ? 'setsPassword' : 'text';
      return { title: t('confirmEdit.title', { name: user.name }), text: t(`confirmEdit.${consequence}`) };
    },
    explain: (wrong, t) => (wrong.join() === 'role_ids' ? t('rolesInvalid') : undefined),
    send: sendUser,
  },
  parts: { access: { ability: 'device_member:list', Part: ({ row }) => <UserAccess userId={row.id} /> } },
  Subtitle: UserStatusCell,
  Above: UserActs,
  Toolbar: LinkHost,
});
