import type { FetchBaseQueryError } from '@reduxjs/toolkit/query';

/** An error of a call, the same shape whatever went wrong. `status` is 0 when no answer came. */
export interface ApiError {
  status: number;
  message: string;
  payload?: unknown;
  /** By this the server's log knows the request. */
  requestId?: string;
  /** Seconds after which the server wants to be asked again. */
  retryAfter?: number;
}

/** The message of an answer that brings none. */
export const REQUEST_FAILED = 'Request failed';

const record = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;

/** Characters of a message that somebody reads. What a proxy sends instead of the server is a page of HTML. */
const MESSAGE_MAX = 300;
const isPlain = (text: unknown): text is string =>
  typeof text === 'string' && text.trim() !== '' && text.length <= MESSAGE_MAX && !text.trimStart().startsWith('<');

/** Puts what RTK Query reports into one shape: the answer's message or error field, else its text, else a fallback. */
export function normaliseError(error: FetchBaseQueryError): ApiError {
  if (typeof error.status !== 'number') {
    const status = error.status === 'PARSING_ERROR' ? error.originalStatus : 0;
    const text = error.status === 'PARSING_ERROR' && isPlain(error.data) ? error.data.trim() : REQUEST_FAILED;
    return { status, message: text, payload: error.data };
  }
  const payload = error.data;
  const fields = record(payload);
  const message = [fields?.message, fields?.error, payload].find(isPlain);
  return { status: error.status, message: message ?? REQUEST_FAILED, payload };
}

/** Whether something thrown or returned is an error of a call. */
export function isApiError(error: unknown): error is ApiError {
  const fields = record(error);
  return typeof fields?.status === 'number' && typeof fields.message === 'string';
}

/** The server's name for what went wrong, e.g. `totp_required`. */
export function errorCode(error: unknown): string | undefined {
  const code = isApiError(error) ? record(error.payload)?.error : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** What the server says is wrong with each field. */
export function fieldErrors(error: unknown): Record<string, string> {
  const fields = isApiError(error) ? record(record(error.payload)?.fields) : null;
  if (!fields) return {};
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
