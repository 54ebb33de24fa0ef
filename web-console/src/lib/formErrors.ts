import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form';
import { fieldErrors, isApiError } from '@/api/errors';

/** Puts what the server says of single fields at the fields that the form has. Returns whether there was any. */
export function showFieldErrors<T extends FieldValues>(
  error: unknown,
  fields: readonly FieldPath<T>[],
  setError: UseFormSetError<T>,
): boolean {
  const said = fieldErrors(error);
  const known = fields.filter((field) => said[field] !== undefined);
  known.forEach((field, index) => setError(field, { type: 'server', message: said[field] }, { shouldFocus: index === 0 }));
  return known.length > 0;
}

/** Somebody else changed the thing since it was loaded. */
export const isVersionConflict = (error: unknown): boolean => isApiError(error) && error.status === 412;
