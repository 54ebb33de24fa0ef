import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useSearchParams } from 'react-router';
import { direct, fetchAllEntries, fetchNames } from '@/api/direct';
import type { User } from '@/api/types';
import { PrintList, type PrintListData } from '@/components/PrintList';
import { PrintAccess } from '@/components/PrintAccess';
import { readListParams, type ListParams } from '@/lib/listParams';
import type { PrintLoader } from '@/lib/usePrintData';
import { selectPerson } from '@/session/sessionSlice';
import { useUserDefinition } from './userDefinition';
import { USERS_URL, userFilter } from './userList';
import { useUserTexts } from './useUserTexts';

/** Every user of a filter, and the names of one's own tenant and of what the filter speaks of. */
const userPrintLoader =
  (params: ListParams, ownTenant: string | null): PrintLoader<PrintListData<User>> =>
  (options) =>
  async (dispatch) => {
    const { data: rows, error } = await dispatch(fetchAllEntries<User>(USERS_URL, userFilter(params), options));
    if (!rows) return { error };
    const tenants = await dispatch(fetchNames('/api/v1/tenants', params.filters.tenant_id ?? [], options.signal));
    if (!tenants.data) return { error: tenants.error };
    const names = new Map(tenants.data);
    const wanted = (params.filters.role_id ?? []).map((id) => ({ id, url: `/api/v1/roles/${encodeURIComponent(id)}` }));
    if (ownTenant) wanted.push({ id: ownTenant, url: `/api/v1/tenants/${ownTenant}` });
    for (const { id, url } of wanted) {
      const found = await dispatch(direct<{ name: string }>({ url }, options.signal));
      // A role that is gone has no name; the page shows its id.
      if (found.data) names.set(id, found.data.name);
      else if (found.error?.status !== 404) return { error: found.error };
    }
    return { data: { rows, names } };
  };

/** The users of a filter to be printed, for those who may export them. */
export function UsersPrintPage() {
  const { t } = useTranslation('users');
  return (
    <PrintAccess module="user" noAccess={t('noAccess')}>
      <UserPrintList />
    </PrintAccess>
  );
}

function UserPrintList() {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation(['common', 'lists']);
  const ownTenant = useSelector(selectPerson)?.tenantId ?? null;
  const [search] = useSearchParams();
  const { list, columns, filters } = useUserDefinition();
  const [params] = useState(() => readListParams(search, list));
  const [load] = useState(() => userPrintLoader(params, ownTenant));
  const texts = useUserTexts();
  const tenantName = (names: ReadonlyMap<string, string>) => {
    if (ownTenant) return names.get(ownTenant) ?? '';
    // Narrowed to one tenant, the filter says which.
    return params.filters.tenant_id ? '' : common('lists:print.allTenants');
  };
  return (
    <PrintList
      title={t('title')}
      failure={t('loadFailed')}
      params={params}
      columns={columns}
      filters={filters}
      texts={texts}
      load={load}
      tenantName={tenantName}
    />
  );
}
