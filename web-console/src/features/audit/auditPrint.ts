import { direct, fetchAllEntries, fetchNames, type DirectResult, type Dispatch } from '@/api/direct';
import type { AuditEntry } from '@/api/generated';
import type { ListParams } from '@/lib/listParams';
import { AUDIT_URL, auditFilter } from './auditList';

/** More than this nobody reads on paper, and no browser lays out. */
export const PRINT_MAX_ROWS = 5_000;

/** What a printed list is made of. */
export interface AuditPrintData {
  entries: AuditEntry[];
  /** What those are called of whom the columns and the filter speak, by id. */
  users: ReadonlyMap<string, string>;
  tenants: ReadonlyMap<string, string>;
  /** How many match; without entries when these are more than are printed. */
  total: number;
}

interface PrintOptions {
  /** Entries after this instant are left out, or the pages would move while they are loaded. */
  at: number;
  signal: AbortSignal;
  onProgress: (loaded: number, total: number) => void;
}

/** Every entry of a filter, and the names of whom the columns and the filter speak. */
export const loadAuditPrint =
  (params: ListParams, timeZone: string | undefined, { at, ...options }: PrintOptions) =>
  async (dispatch: Dispatch): Promise<DirectResult<AuditPrintData>> => {
    const { signal } = options;
    const now = new Date(at).toISOString();
    const asked = auditFilter(params, timeZone);
    const filter = { ...asked, to: asked.to && asked.to < now ? asked.to : now };
    const counted = await dispatch(
      direct<{ total?: number }>({ url: AUDIT_URL, params: { ...filter, page_size: 1 } }, signal),
    );
    if (counted.error) return { error: counted.error };
    const total = counted.data?.total ?? 0;
    if (total > PRINT_MAX_ROWS) return { data: { entries: [], users: new Map(), tenants: new Map(), total } };
    const found = await dispatch(fetchAllEntries<AuditEntry>(AUDIT_URL, filter, options));
    if (!found.data) return { error: found.error };
    const entries = found.data;
    const inFilter = (name: string) => params.filters[name] ?? [];
    const tenants = params.columns.includes('tenant_id') ? entries.map(({ tenant_id }) => tenant_id ?? '') : [];
    const names = await Promise.all([
      dispatch(fetchNames('/api/v1/users', inFilter('actor_id'), signal)),
      dispatch(fetchNames('/api/v1/tenants', [...tenants, ...inFilter('tenant_id')], signal)),
    ]);
    const [users, named] = names;
    if (!users.data || !named.data) return { error: users.error ?? named.error };
    return { data: { entries, users: users.data, tenants: named.data, total } };
  };
