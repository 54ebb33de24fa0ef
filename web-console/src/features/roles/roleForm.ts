import { z } from 'zod';
import type { Role, RoleInput } from '@/api/generated';

/** With what a new role begins. */
export const STARTING_POINTS = ['empty', 'template', 'copy'] as const;

/** What may be typed about a role; messages are keys of texts. A platform owner has to say whose a new one is. */
export const roleSchema = (namesTenant: boolean) =>
  z
    .object({
      name: z.string().trim().min(1, 'validation.name').max(100, 'validation.tooLong'),
      description: z.string().trim().max(500, 'validation.tooLong'),
      tenant_id: namesTenant ? z.string().min(1, 'validation.tenant') : z.string(),
      beginning: z.enum(STARTING_POINTS),
      template: z.string(),
      copy_of: z.string(),
    })
    .refine(({ beginning, template }) => beginning !== 'template' || template !== '', {
      path: ['template'],
      message: 'validation.template',
      when: always,
    })
    .refine(({ beginning, copy_of }) => beginning !== 'copy' || copy_of !== '', {
      path: ['copy_of'],
      message: 'validation.copyOf',
      when: always,
    });

/** Said together with what is wrong with other fields, not after those are right. */
const always = () => true;

/** A role as it stands in the form. */
export type RoleValues = z.infer<ReturnType<typeof roleSchema>>;

/** The role given, or a new one, which may begin as a copy. */
export function roleValues(role: Role | undefined, copied?: Role): RoleValues {
  return {
    name: role?.name ?? '',
    description: role?.description ?? copied?.description ?? '',
    tenant_id: copied?.tenant_id ?? '',
    beginning: copied ? 'copy' : 'empty',
    template: '',
    copy_of: copied?.id ?? '',
  };
}

/** What is sent. With what a role begins, and whose it is, is said of new ones alone. */
export function roleInput(
  { name, description, tenant_id, beginning, template, copy_of }: RoleValues,
  isNew: boolean,
): RoleInput {
  if (!isNew) return { name, description };
  return {
    name,
    description,
    ...(tenant_id && { tenant_id }),
    ...(beginning === 'template' && { template }),
    ...(beginning === 'copy' && { copy_of }),
  };
}
