import type { FetchArgs } from '@reduxjs/toolkit/query';
import type { AuditEntry, ListAuditApiArg } from '@/api/generated';
import type { FileFormat } from '@/components/ExportMenu';
import { addDays, dayBegins } from '@/i18n/timeZone';
import type { ListParams } from '@/lib/listParams';
import { actsFor } from './auditActs';

/** Where the audit is, for calls past the cache. */
const AUDIT_URL = '/api/v1/audit';

const only = (params: ListParams, name: string) => params.filters[name]?.[0];

/** Search, filters and order, as the address of the call has them. Days are those of the zone, both of them whole. */
export function auditFilter(params: ListParams, timeZone: string | undefined) {
  const from = only(params, 'from');
  const to = only(params, 'to');
  return {
    sort: params.sort,
    q: params.q,
    actor_id: params.filters.actor_id,
    act: actsFor(params.filters.act ?? [], only(params, 'outcome')),
    object_kind: only(params, 'object_kind'),
    object_id: only(params, 'object_id'),
    from: from && dayBegins(from, timeZone)?.toISOString(),
    to: to && dayBegins(to, timeZone) && dayBegins(addDays(to, 1), timeZone)?.toISOString(),
    tenant_id: only(params, 'tenant_id'),
  };
}

/** One page, as the generated client takes it. */
export function auditPage(params: ListParams, timeZone: string | undefined): ListAuditApiArg {
  const { actor_id, object_kind, object_id, tenant_id, ...filter } = auditFilter(params, timeZone);
  return {
    ...filter,
    actorId: actor_id,
    objectKind: object_kind,
    objectId: object_id,
    tenantId: tenant_id,
    page: params.page,
    pageSize: params.pageSize,
  };
}

/** What a column is called in a file, and what goes with it there. */
const IN_FILES: Partial<Record<string, string[]>> = {
  at: ['at'],
  actor_name: ['actor_name'],
  act: ['act'],
  object: ['object_kind', 'object_name'],
  change: ['before', 'after'],
  address: ['address'],
  tenant_id: ['tenant_id'],
  seq: ['seq'],
  hash: ['hash'],
};

/** The call for a file of everything that matches, with the columns on the screen and what changed. */
export function auditExport(params: ListParams, format: FileFormat, timeZone: string): FetchArgs {
  const columns = [...params.columns, 'change', 'seq', 'hash'].flatMap((key) => IN_FILES[key] ?? []);
  const filter = auditFilter(params, timeZone);
  return { url: `${AUDIT_URL}/export`, params: { ...filter, format, columns: [...new Set(columns)], tz: timeZone } };
}

/** An entry in the address: its id, and when it was, by which it can be asked for. */
export const entryKey = ({ id, at }: AuditEntry): string => `${id}@${Date.parse(at)}`;

/** The call that finds an entry whatever the list shows; undefined for what is no key of an entry. */
export function entryCall(key: string): ListAuditApiArg | undefined {
  const at = Number(key.split('@')[1]);
  if (!key.includes('@') || !Number.isSafeInteger(at)) return undefined;
  const iso = (instant: number) => new Date(instant).toISOString();
  return { from: iso(at), to: iso(at + 1), pageSize: 500 };
}
