import { Button } from '@mantine/core';
import { IconRefresh, IconShieldCheck, IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListAuditQuery } from '@/api/api';
import { isApiError } from '@/api/errors';
import type { AuditEntry } from '@/api/generated';
import { pageOf } from '@/api/types';
import { DataTable } from '@/components/DataTable';
import { EmptyList } from '@/components/EmptyList';
import { EmptyState } from '@/components/EmptyState';
import { ExportMenu } from '@/components/ExportMenu';
import { FilterBar } from '@/components/FilterBar';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { browserZone } from '@/i18n/timeZone';
import { useFormats } from '@/i18n/useFormats';
import { useDrawerParam } from '@/lib/drawerParam';
import { useLastPage, useListParams } from '@/lib/listParams';
import { useRetryWhenBack } from '@/lib/useRetryWhenBack';
import { useTitle } from '@/lib/useTitle';
import { can } from '@/session/abilities';
import { selectPerson, selectTimeZone } from '@/session/sessionSlice';
import { AuditDrawer } from './AuditDrawer';
import { AuditPeriod } from './AuditPeriod';
import { useAuditDefinition } from './auditDefinition';
import { auditExport, auditPage, entryKey } from './auditList';
import { useAuditTexts } from './useAuditTexts';
import { VerifyDialog } from './VerifyDialog';
import classes from './AuditPage.module.css';

/** What was done, and by whom; for those who may read it. */
export function AuditPage() {
  const { t } = useTranslation('audit');
  useTitle(t('title'));
  if (!can('audit:list', useSelector(selectPerson))) return <NoAccess text={t('noAccess')} />;
  return <AuditList />;
}

function AuditList() {
  const { t } = useTranslation('audit');
  const person = useSelector(selectPerson);
  const timeZone = useSelector(selectTimeZone) ?? browserZone();
  const formats = useFormats();
  const texts = useAuditTexts();
  const { list, columns, filters } = useAuditDefinition();
  const [params, setParams] = useListParams(list);
  const [open, setOpen] = useDrawerParam();
  const [verifying, setVerifying] = useState(false);
  // It grows with whatever anybody does.
  const { data, error, isFetching, refetch } = useListAuditQuery(auditPage(params, timeZone), {
    refetchOnMountOrArgChange: true,
  });
  const page = useMemo(() => pageOf<AuditEntry>(data), [data]);
  useRetryWhenBack(error, () => void refetch());
  useLastPage(isFetching ? undefined : page, params, setParams);

  if (isApiError(error) && error.status === 403) return <NoAccess text={t('noAccess')} />;
  const without = (name: string) =>
    setParams({ filters: Object.fromEntries(Object.entries(params.filters).filter(([other]) => other !== name)) });
  return (
    <Page fill>
      <PageHeader
        title={t('title')}
        count={page?.total}
        text={t('intro')}
        action={
          <Button
            variant="default"
            leftSection={<IconShieldCheck size={16} aria-hidden="true" />}
            onClick={() => setVerifying(true)}
          >
            {t('verify.action')}
          </Button>
        }
      />
      <FilterBar
        searchLabel={t('search')}
        list={list}
        columns={columns}
        filters={filters}
        params={params}
        onParams={setParams}
      >
        {can('audit:export', person) && (
          <ExportMenu file={(format) => auditExport(params, format, timeZone)} disabled={page?.total === 0} />
        )}
      </FilterBar>
      <div className={classes.period}>
        <AuditPeriod params={params} onParams={setParams} />
        {params.filters.object_id && (
          <Button
            size="compact-sm"
            variant="light"
            rightSection={<IconX size={14} aria-hidden="true" />}
            onClick={() => without('object_id')}
          >
            {t('onlyThisObject')}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconRefresh size={14} aria-hidden="true" />}
          onClick={() => void refetch()}
        >
          {t('refresh')}
        </Button>
      </div>
      <DataTable
        label={t('title')}
        list={list}
        columns={columns}
        rows={page?.items}
        total={page?.total ?? 0}
        rowKey={entryKey}
        rowName={({ act, at }) => `${texts.act(act)}, ${formats.dateTime(at)}`}
        params={params}
        onParams={setParams}
        onOpen={(entry) => setOpen(entryKey(entry))}
        openKey={open}
        stale={isFetching}
        error={error}
        failure={t('loadFailed')}
        onRetry={() => void refetch()}
        empty={
          <EmptyList params={params} onParams={setParams}>
            <EmptyState title={t('emptyTitle')} text={t('emptyText')} />
          </EmptyList>
        }
      />
      {open && (
        <AuditDrawer
          key={open}
          entryKey={open}
          neighbours={page?.items ?? []}
          onShow={setOpen}
          onFilter={(wanted) => {
            setOpen(null);
            setParams({ filters: wanted, q: '' });
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {verifying && <VerifyDialog tenantId={params.filters.tenant_id?.[0] ?? ''} onClose={() => setVerifying(false)} />}
    </Page>
  );
}
