import { z } from 'zod';
import { LANGUAGES } from '@/i18n/languages';
import { newPassword } from '@/lib/newPassword';

const REQUIRED = 'common:validation.required';
const TOO_LONG = 'common:validation.tooLong';

/** What one may say of oneself. */
export const profileSchema = z.object({
  name: z.string().trim().min(1, REQUIRED).max(200, TOO_LONG),
  phone: z.string().trim().max(40, TOO_LONG),
  locale: z.enum(LANGUAGES),
});
/** The form. */
export type ProfileValues = z.infer<typeof profileSchema>;

/** A new password in place of the present one. */
export const passwordSchema = z.object({
  current_password: z.string().min(1, REQUIRED),
  new_password: newPassword,
});
/** The form. */
export type PasswordValues = z.infer<typeof passwordSchema>;
