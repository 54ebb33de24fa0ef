import type { FetchArgs } from '@reduxjs/toolkit/query';
import { newId } from '@/lib/newId';

const HEADER = 'idempotency-key';

/** What is asked for by POST and changes nothing. */
const READS = ['/api/v1/addresses', '/api/v1/ws-ticket'];

/** What has not succeeded, or of which nobody knows whether it has, with the key that it was sent under. */
const unsettled = new Map<string, string>();

const isAct = ({ method, url }: FetchArgs) => method === 'POST' && !READS.includes(url);

/** A file by what it is, since its bytes are not looked at. */
const plain = (_: string, value: unknown): unknown =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value;

const contentOf = ({ url, params, body }: FetchArgs) => JSON.stringify([url, params, body], plain);

/**
 * An act with its key. The same that is sent again after it came to nothing has the same key, so that the server does not do
 * it twice when only the answer was lost.
 */
export function keyed(args: string | FetchArgs): string | FetchArgs {
  if (typeof args === 'string' || !isAct(args)) return args;
  const content = contentOf(args);
  const key = unsettled.get(content) ?? newId();
  unsettled.set(content, key);
  return { ...args, headers: { ...(args.headers as Record<string, string> | undefined), [HEADER]: key } };
}

/** An act has succeeded. Whoever has done something since wants the same once more when they ask for it, not its answer. */
export function settle(args: string | FetchArgs): void {
  if (typeof args !== 'string' && isAct(args)) unsettled.clear();
}
