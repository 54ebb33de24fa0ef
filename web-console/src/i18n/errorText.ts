import type { TFunction } from 'i18next';
import { fieldErrors, isApiError, REQUEST_FAILED } from '@/api/errors';

/**
 * What to tell the user of a failed call: the server's own words, since it speaks the caller's language, unless no
 * server answered.
 */
export function errorText(error: unknown, t: TFunction<'common'>): string {
  if (!isApiError(error)) return t('error.unexpected');
  if (error.status === 0) return t('error.unreachable');
  if (error.message === REQUEST_FAILED) return t('network.requestFailed');
  return error.message;
}

/** The same where there are no fields to mark: what is wrong with them is said instead. */
export function actErrorText(error: unknown, t: TFunction<'common'>): string {
  const fields = [...new Set(Object.values(fieldErrors(error)))];
  return fields.length > 0 ? fields.join(' ') : errorText(error, t);
}
