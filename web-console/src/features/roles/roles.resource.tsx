import type { Role } from '@/api/generated';
import { defineResource } from '@/resource/defineResource';
import { entity, instant, number, text } from '@/resource/fields';
import { MoreAboutRoles } from './MoreAboutRoles';
import { RoleForm } from './RoleForm';

/** The roles of a tenant. What they allow is a matrix of its own. */
export default defineResource<Role>({
  key: 'roles',
  sort: 'name',
  fields: {
    name: text({ column: { sortable: true, fixed: true, width: 180 } }),
    tenant_id: entity({
      of: 'tenants',
      ability: 'platform_owner',
      column: { width: 170, phone: 'below' },
      filter: true,
    }),
    description: text({ column: { width: 300, phone: 'below' } }),
    users: number({ column: { width: 100 } }),
    allowed: number({ column: { width: 100 } }),
    denied: number({ column: { width: 100 } }),
    updated_at: instant({ column: { sortable: true, width: 140 } }),
    created_at: instant({ column: { sortable: true, optional: true, width: 140 } }),
  },
  pathOf: ({ id }) => `/roles/${id}`,
  remove: {
    text: ({ users }, t, number) =>
      users > 0 ? t('confirmDelete.text', { count: users, formatted: number(users) }) : t('confirmDelete.unused'),
  },
  Form: RoleForm,
  Toolbar: MoreAboutRoles,
});
