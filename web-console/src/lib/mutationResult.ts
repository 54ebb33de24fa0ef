import { isApiError } from '@/api/errors';

/** What a change comes to, as RTK Query's mutations return it. */
export type MutationResult<T> = { data: T; error?: undefined } | { data?: undefined; error: unknown };

/** Somebody else changed the thing since it was loaded. */
export const isVersionConflict = (error: unknown): boolean => isApiError(error) && error.status === 412;
