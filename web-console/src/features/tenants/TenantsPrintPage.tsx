import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useSearchParams } from 'react-router';
import { everyEntry } from '@/api/direct';
import type { Tenant } from '@/api/types';
import { ListPaper, type Paper } from '@/components/ListPaper';
import { NoAccess } from '@/components/NoAccess';
import { readListParams, type ListParams } from '@/lib/listParams';
import type { PaperLoader } from '@/lib/usePaper';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { useTenantDefinition } from './tenantDefinition';
import { TENANTS_URL, tenantFilter } from './tenantList';
import { useTenantTexts } from './useTenantTexts';

const NO_NAMES: ReadonlyMap<string, string> = new Map();

const tenantPaper =
  (params: ListParams): PaperLoader<Paper<Tenant>> =>
  (options) =>
  async (dispatch) => {
    const { data, error } = await dispatch(everyEntry<Tenant>(TENANTS_URL, tenantFilter(params), options));
    return data ? { data: { rows: data, names: NO_NAMES } } : { error };
  };

/** The tenants of a filter on paper; for platform owners. */
export function TenantsPrintPage() {
  const { t } = useTranslation('tenants');
  if (!can('platform_owner', useSelector(selectPerson))) {
    return <NoAccess text={t('noAccess')} />;
  }
  return <TenantPaper />;
}

function TenantPaper() {
  const { t } = useTranslation('tenants');
  const [search] = useSearchParams();
  const { list, columns, filters } = useTenantDefinition();
  const [params] = useState(() => readListParams(search, list));
  const [load] = useState(() => tenantPaper(params));
  const texts = useTenantTexts();
  return (
    <ListPaper
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
