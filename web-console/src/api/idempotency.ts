import type { FetchArgs } from '@reduxjs/toolkit/query';
import { newId } from '@/lib/newId';

const HEADER = 'idempotency-key';

/** What is asked for by POST and changes nothing. */
const READS = /^\/api\/v1\/(addresses|ws-ticket)$|\/import\/preview$/;

/** What has not succeeded, or of which nobody knows whether it has, with the key that it was sent under. */
const unsettled = new Map<string, string>();
/** How often each of them is on its way. */
const inFlight = new Map<string, number>();

const onlyTries = ({ params, body }: FetchArgs) =>
  (params as { mode?: unknown } | undefined)?.mode === 'dry_run' ||
  (body as { dry_run?: unknown } | undefined)?.dry_run === true;

const isAct = (args: FetchArgs) =>
  args.method !== undefined && args.method !== 'GET' && !READS.test(args.url) && !onlyTries(args);

/** The bytes of a file have no text: one is known by the object that it is. */
const files = new WeakMap<object, string>();
const known = (file: object): string => {
  const id = files.get(file) ?? newId();
  files.set(file, id);
  return id;
};
const plain = (_: string, value: unknown): unknown => {
  if (value instanceof File) return [value.name, value.size, value.lastModified];
  return value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? known(value) : value;
};

const contentOf = ({ url, params, body }: FetchArgs) => JSON.stringify([url, params, body], plain);

/**
 * An act with its key. The same that is sent again after it came to nothing has the same key, so that the server does not do
 * it twice when only the answer was lost.
 */
export function keyed(args: string | FetchArgs): string | FetchArgs {
  if (typeof args === 'string' || args.method !== 'POST' || !isAct(args)) return args;
  const content = contentOf(args);
  const key = unsettled.get(content) ?? newId();
  unsettled.set(content, key);
  inFlight.set(content, (inFlight.get(content) ?? 0) + 1);
  return { ...args, headers: { ...(args.headers as Record<string, string> | undefined), [HEADER]: key } };
}

/**
 * An act came back. Whoever has done something since wants the same once more when they ask for it, not its answer; of
 * what is still on its way the answer may yet be lost.
 */
export function settle(args: string | FetchArgs, succeeded: boolean): void {
  if (typeof args === 'string' || !isAct(args)) return;
  const content = contentOf(args);
  const others = (inFlight.get(content) ?? 0) - 1;
  if (others > 0) inFlight.set(content, others);
  else inFlight.delete(content);
  if (!succeeded) return;
  for (const known of unsettled.keys()) if (!inFlight.has(known)) unsettled.delete(known);
}
