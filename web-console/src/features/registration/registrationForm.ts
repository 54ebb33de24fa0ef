import { z } from 'zod';
import { newPassword } from '@/lib/newPassword';

/** Messages of the forms are keys of texts, because the language may change while they are open. */
const REQUIRED = 'common:validation.required';
const TOO_LONG = 'common:validation.tooLong';
/** What the server takes out of a tax number. */
const BETWEEN_DIGITS = /[.\- ]/g;

/** An address for mails. */
export const emailAddress = z.string().trim().min(1, REQUIRED).regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'validation.email');

/** What a company says of itself. */
export const registrationSchema = z.object({
  company: z.string().trim().min(1, REQUIRED).max(200, TOO_LONG),
  name: z.string().trim().min(1, REQUIRED).max(200, TOO_LONG),
  email: emailAddress,
  phone: z.string().trim().min(1, REQUIRED).max(40, TOO_LONG),
  password: newPassword,
  tax_number: z.string().refine((text) => /^(\d{15,16})?$/.test(text.replace(BETWEEN_DIGITS, '')), 'validation.taxNumber'),
  accepts_terms: z.boolean().refine(Boolean, 'validation.terms'),
});

/** The form. */
export type RegistrationValues = z.infer<typeof registrationSchema>;

/** The empty form. */
export const NO_REGISTRATION: RegistrationValues = {
  company: '',
  name: '',
  email: '',
  phone: '',
  password: '',
  tax_number: '',
  accepts_terms: false,
};
