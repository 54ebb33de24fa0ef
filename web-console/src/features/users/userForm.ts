import { z } from 'zod';
import type { UserInput } from '@/api/generated';
import type { User } from '@/api/types';

const MIN_PASSWORD = 8;
const MAX_PASSWORD = 128;

/** What may be typed about a user; messages are keys of texts. An empty password keeps the present one. */
export const userSchema = z.object({
  name: z.string().trim().min(1, 'validation.required'),
  email: z.string().trim().min(1, 'validation.required').pipe(z.email('validation.email')),
  phone: z.string().trim(),
  password: z
    .string()
    .max(MAX_PASSWORD, 'validation.password')
    .refine((text) => text === '' || text.length >= MIN_PASSWORD, 'validation.password'),
  tenant_id: z.string(),
  is_tenant_admin: z.boolean(),
  is_active: z.boolean(),
});

/** A user as it stands in the form. */
export type UserValues = z.infer<typeof userSchema>;

/** A new user needs a password, and a tenant when whoever makes it belongs to none. */
export const newUserSchema = (namesTenant: boolean) =>
  userSchema
    .refine(({ password }) => password !== '', { path: ['password'], message: 'validation.passwordRequired', when: always })
    .refine(({ tenant_id }) => !namesTenant || tenant_id !== '', { path: ['tenant_id'], message: 'validation.tenant', when: always });

/** Said together with what is wrong with other fields, not after those are right. */
const always = () => true;

/** A new user, or the one given. */
export function userValues(user: User | undefined): UserValues {
  return {
    name: user?.name ?? '',
    email: user?.email ?? '',
    phone: user?.phone ?? '',
    password: '',
    tenant_id: user?.tenant_id ?? '',
    is_tenant_admin: user?.is_tenant_admin ?? false,
    is_active: user?.is_active ?? true,
  };
}

/** What is sent. The tenant is named for new users alone: nobody moves between tenants. */
export function userInput({ tenant_id, password, ...rest }: UserValues, isNew: boolean): UserInput {
  return { ...rest, ...(password && { password }), ...(isNew && tenant_id && { tenant_id }) };
}
