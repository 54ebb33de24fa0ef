import { z } from 'zod';
import { isTaxNumber } from '@/lib/taxNumber';

/** Messages of the forms are keys of texts, because the language may change while they are open. */
const REQUIRED = 'common:validation.required';
const TOO_LONG = 'common:validation.tooLong';

/** An address for mails. */
export const emailAddress = z
  .string()
  .trim()
  .min(1, REQUIRED)
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'validation.email');

/** What a company says of itself. */
export const registrationSchema = z.object({
  company: z.string().trim().min(1, REQUIRED).max(200, TOO_LONG),
  name: z.string().trim().min(1, REQUIRED).max(200, TOO_LONG),
  email: emailAddress,
  phone: z.string().trim().min(1, REQUIRED).max(40, TOO_LONG),
  tax_number: z.string().refine(isTaxNumber, 'validation.taxNumber'),
  accepts_terms: z.boolean().refine(Boolean, 'validation.terms'),
});

/** The same where there are no terms to agree to. */
export const schemaWithoutTerms = registrationSchema.extend({ accepts_terms: z.boolean() });

/** The form. */
export type RegistrationValues = z.infer<typeof registrationSchema>;

/** The empty form. */
export const NO_REGISTRATION: RegistrationValues = {
  company: '',
  name: '',
  email: '',
  phone: '',
  tax_number: '',
  accepts_terms: false,
};
