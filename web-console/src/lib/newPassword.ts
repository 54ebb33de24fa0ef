import { z } from 'zod';
import { PASSWORD_MAX, PASSWORD_MIN } from './passwordStrength';

const length = (password: string) => [...password].length;

/** A password that somebody chooses; the server knows those that are too common. Messages are keys of texts. */
export const newPassword = z
  .string()
  .min(1, 'common:validation.required')
  .refine((text) => text === '' || length(text) >= PASSWORD_MIN, 'common:password.short')
  .refine((text) => length(text) <= PASSWORD_MAX, 'common:password.long');
