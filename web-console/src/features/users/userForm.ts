import { z } from 'zod';
import type { UserInput } from '@/api/generated';
import type { User } from '@/api/types';
import { LANGUAGES } from '@/i18n/languages';

const MIN_PASSWORD = 8;
const MAX_PASSWORD = 128;
const REQUIRED = 'validation.required';
const TOO_LONG = 'validation.tooLong';

/** What a form of a user has to ask for. */
export interface UserRules {
  isNew: boolean;
  /** Whoever makes the user belongs to no tenant and has to say to which one the user belongs. */
  namesTenant: boolean;
  /** Whoever edits may give roles. */
  givesRoles: boolean;
}

/** What may be typed about a user; messages are keys of texts. An empty password keeps the present one. */
export const userSchema = ({ isNew, namesTenant, givesRoles }: UserRules) =>
  z
    .object({
      name: z.string().trim().min(1, REQUIRED).max(200, TOO_LONG),
      email: z.string().trim().min(1, REQUIRED).pipe(z.email('validation.email')),
      phone: z.string().trim().max(40, TOO_LONG),
      invite: z.boolean(),
      password: z
        .string()
        .max(MAX_PASSWORD, 'validation.password')
        .refine((text) => text === '' || text.length >= MIN_PASSWORD, 'validation.password'),
      locale: z.enum(LANGUAGES),
      tenant_id: namesTenant ? z.string().min(1, 'validation.tenant') : z.string(),
      role_ids: z.array(z.string()),
      is_tenant_admin: z.boolean(),
      is_subscription_active: z.boolean(),
      is_active: z.boolean(),
    })
    .refine(({ password, invite }) => !isNew || invite || password !== '', {
      path: ['password'],
      message: 'validation.passwordRequired',
      // Said together with what is wrong with other fields, not after those are right.
      when: () => true,
    })
    .refine((values) => !givesRoles || (isNew ? values.role_ids.length > 0 : hasRights(values)), {
      path: ['role_ids'],
      message: 'validation.roles',
      when: () => true,
    });

/** A new user has at least one role; later an admin needs none, since admins may do everything. */
const hasRights = ({ role_ids, is_tenant_admin }: { role_ids: string[]; is_tenant_admin: boolean }) =>
  role_ids.length > 0 || is_tenant_admin;

/** What may be said when only the roles can be changed: nothing else is sent, so that nothing else is checked. */
export const rolesSchema = z.custom<UserValues>().refine(hasRights, {
  path: ['role_ids'],
  message: 'validation.roles',
});

/** A user as it stands in the form. */
export type UserValues = z.infer<ReturnType<typeof userSchema>>;

/** A new user, or the one given. */
export function userValues(user: User | undefined): UserValues {
  return {
    name: user?.name ?? '',
    email: user?.email ?? '',
    phone: user?.phone ?? '',
    invite: false,
    password: '',
    locale: LANGUAGES.find((language) => language === user?.locale) ?? 'id',
    tenant_id: user?.tenant_id ?? '',
    role_ids: (user?.roles ?? []).map(({ id }) => id),
    is_tenant_admin: user?.is_tenant_admin ?? false,
    is_subscription_active: user?.is_subscription_active ?? true,
    is_active: user?.is_active ?? true,
  };
}

/** What is sent, but for the roles. The tenant is named for new users alone: nobody moves between tenants. */
export function userInput(values: UserValues, isNew: boolean): UserInput {
  const { name, email, phone, locale, is_tenant_admin, is_subscription_active, is_active } = values;
  const { tenant_id, password, invite } = values;
  const input = { name, email, phone, locale, is_tenant_admin, is_subscription_active, is_active };
  if (!isNew) return { ...input, ...(password && { password }) };
  return { ...input, ...(tenant_id && { tenant_id }), ...(invite ? { invite } : { password }) };
}

/** Whether these are other roles than the user has. */
export function rolesChange(roleIds: string[], user: User): boolean {
  const present = new Set(user.roles.map(({ id }) => id));
  return present.size !== roleIds.length || roleIds.some((id) => !present.has(id));
}
