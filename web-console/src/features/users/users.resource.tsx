import { IconUserCheck, IconUserOff } from '@tabler/icons-react';
import type { User } from '@/api/types';
import { defineResource } from '@/resource/defineResource';
import { choice, entity, flag, instant, shown, text } from '@/resource/fields';
import { REMOVE } from '@/resource/useBulkActs';
import { LinkHost } from './LinkDialog';
import { UserActs } from './UserActs';
import { UserForm } from './UserForm';
import { UserRoles, UserStanding } from './userCells';

/** The people who sign in. */
export default defineResource<User>({
  key: 'users',
  sort: 'name',
  fields: {
    name: text({ column: { sortable: true, fixed: true, width: 165 } }),
    email: text({ column: { sortable: true, width: 190, phone: 'below' } }),
    phone: text({ tabular: true, column: { sortable: true, width: 145 } }),
    tenant_name: text({ ability: 'platform_owner', column: { width: 150 } }),
    roles: shown<User>({ column: { width: 150, file: ['roles'] }, cell: (user) => <UserRoles user={user} /> }),
    status: choice({
      values: ['active', 'inactive', 'invited'],
      tones: { active: 'positive', inactive: 'neutral', invited: 'info' },
      column: { width: 115, phone: 'beside' },
      filter: { multiple: true },
    }),
    last_login: instant({ none: 'never', column: { sortable: true, width: 140 } }),
    is_tenant_admin: flag({ column: { optional: true, width: 130 } }),
    is_subscription_active: flag({ column: { optional: true, width: 150 }, filter: true }),
    has_totp: flag({ column: { optional: true, width: 150 } }),
    created_at: instant({ column: { sortable: true, optional: true, width: 130 } }),
    updated_at: instant({ column: { optional: true, width: 130 } }),
    id: text({ column: { optional: true, width: 110 } }),
    role_id: entity({ of: 'roles', column: false, filter: { multiple: true, ability: 'role:list' } }),
    tenant_id: entity({ of: 'tenants', column: false, filter: { ability: 'platform_owner' } }),
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
  remove: { allowed: ({ id }, personId) => id !== personId },
  Form: UserForm,
  Subtitle: UserStanding,
  Above: UserActs,
  Toolbar: LinkHost,
});
