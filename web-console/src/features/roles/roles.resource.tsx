import type { Role } from '@/api/generated';
import { defineResource } from '@/resource/defineResource';
import { choice, entity, instant, number, text } from '@/resource/fields';
import { MoreAboutRoles } from './MoreAboutRoles';
import { AboutTemplate, RoleForm, useTemplateChoices } from './RoleForm';

/** The roles of a tenant. What they allow is a matrix of its own. */
export default defineResource<Role>({
  key: 'roles',
  fields: {
    name: text({ column: { fixed: true, width: 160 }, form: { required: true, first: true } }),
    tenant_id: entity({
      of: 'tenants',
      ability: 'platform_owner',
      column: { width: 170, phone: 'below' },
      filter: true,
      form: { required: true, newOnly: true },
    }),
    description: text({ column: { width: 350, phone: 'below' }, form: { multiline: true } }),
    // With what a new role begins.
    beginning: choice({
      values: ['empty', 'template', 'copy'],
      column: false,
      form: { newOnly: true, unsent: true, initial: 'empty' },
    }),
    template: choice<Role>({
      values: [],
      useChoices: useTemplateChoices,
      column: false,
      form: { newOnly: true, required: true, only: { beginning: 'template' }, Below: AboutTemplate },
    }),
    copy_of: entity({
      of: 'roles',
      within: 'tenant_id',
      column: false,
      form: { newOnly: true, required: true, only: { beginning: 'copy' } },
    }),
    users: number({ column: { width: 90 } }),
    allowed: number({ column: { width: 90 } }),
    denied: number({ column: { width: 90 } }),
    updated_at: instant({ column: { width: 140 } }),
    created_at: instant({ column: { optional: true, width: 140 } }),
  },
  pathOf: ({ id }) => `/roles/${id}`,
  remove: {
    text: ({ users }, t, number) =>
      users > 0 ? t('confirmDelete.text', { count: users, formatted: number(users) }) : t('confirmDelete.unused'),
  },
  Form: RoleForm,
  Toolbar: MoreAboutRoles,
});
