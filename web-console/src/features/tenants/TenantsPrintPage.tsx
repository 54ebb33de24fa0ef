import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useSearchParams } from 'react-router';
import { fetchAllEntries } from '@/api/direct';
import type { Tenant } from '@/api/types';
import { PrintList, type PrintListData } from '@/components/PrintList';
import { NoAccess } from '@/components/NoAccess';
import { readListParams, type ListParams } from '@/lib/listParams';
import type { PrintLoader } from '@/lib/usePrintData';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { useTenantDefinition } from './tenantDefinition';
import { TENANTS_URL, tenantFilter } from './tenantList';
import { useTenantTexts } from './useTenantTexts';

const NO_NAMES: ReadonlyMap<string, string> = new Map();

const tenantPrintLoader =
  (params: ListParams): PrintLoader<PrintListData<Tenant>> =>
  (options) =>
  async (dispatch) => {
    const { data, error } = await dispatch(fetchAllEntries<Tenant>(TENANTS_URL, tenantFilter(params), options));
    return data ? { data: { rows: data, names: NO_NAMES } } : { error };
  };

/** The tenants of a filter to be printed; for platform owners. */
export function TenantsPrintPage() {
  const { t } = useTranslation('tenants');
  if (!can('platform_owner', useSelector(selectPerson))) {
    return <NoAccess text={t('noAccess')} />;
  }
  return <TenantPrintList />;
}

function TenantPrintList() {
  const { t } = useTranslation('tenants');
  const [search] = useSearchParams();
  const { list, columns, filters } = useTenantDefinition();
  const [params] = useState(() => readListParams(search, list));
  const [load] = useState(() => tenantPrintLoader(params));
  const texts = useTenantTexts();
  return (
    <PrintList
      title={t('title')}
      failure={t('loadFailed')}
      params={params}
      columns={columns}
      filters={filters}
      texts={texts}
      load={load}
    />
  );
}
