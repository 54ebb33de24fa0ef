import { z } from 'zod';
import type { Permission } from '@/api/generated';

/** What may be typed about a permission; messages are keys of texts. The key is for programs. */
export const permissionSchema = z.object({
  key: z
    .string()
    .trim()
    .min(1, 'validation.key')
    .max(100, 'validation.tooLong')
    .regex(/^(?:[a-z_]+(?:-[a-z_]+)*:[a-z_]+(?:-[a-z_]+)*|[a-z_]+(?:-[a-z_]+)+)$/, 'validation.keyForm'),
  description: z.string().trim().max(500, 'validation.tooLong'),
});

/** A permission as it stands in the form. */
export type PermissionValues = z.infer<typeof permissionSchema>;

/** A new permission, or the one given. */
export const permissionValues = (permission: Permission | undefined): PermissionValues => ({
  key: permission?.key ?? '',
  description: permission?.description ?? '',
});
