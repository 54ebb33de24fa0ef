import { IconProgressCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListJobsQuery } from '@/api/calls/jobs';
import { DataTable } from '@/components/DataTable';
import { EmptyList } from '@/components/EmptyList';
import { EmptyState } from '@/components/EmptyState';
import { FilterBar } from '@/components/FilterBar';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { Part } from '@/components/Part';
import { ScreenTabs } from '@/components/ScreenTabs';
import { useAddress } from '@/lib/address';
import { useDrawerParam } from '@/lib/drawerParam';
import { useDeepPages, useEndOfPage } from '@/lib/deepPages';
import { useLastPage, useListParams } from '@/lib/listParams';
import { useRetryWhenBack } from '@/lib/useRetryWhenBack';
import { useTitle } from '@/lib/useTitle';
import { SERVICES, type Job } from '@/resource/jobs';
import { NamesOfPage } from '@/resource/names';
import { usePartParams, withoutPart } from '@/resource/usePartParams';
import { selectPerson } from '@/session/sessionSlice';
import { JobDrawer } from './JobDrawer';
import { servicesOf } from './jobServices';
import { useAskAgain } from './useAskAgain';
import { STATES, useJobList, useWhose } from './useJobList';

const NO_JOBS: Job[] = [];
const keyOf = ({ id }: Job) => id;
const SPLIT = { by: 'service', values: SERVICES };

/** What was begun that takes its time, imports and what is done to many things at once: one's own, for admins that of all. */
export function JobsPage() {
  const { t } = useTranslation('jobs');
  const { t: words } = useTranslation('resource');
  useTitle(words('jobs.title'));
  const { service, offered, show } = useService();
  const { list, columns, filters, named, labelOf } = useJobList();
  const [params, setParams] = usePartParams(SPLIT, service, useListParams(list));
  const [open, setOpen] = useDrawerParam();
  const status = STATES.filter((state) => params.filters.status?.includes(state));
  const tenantId = params.filters.tenant_id?.[0];
  const places = useDeepPages(JSON.stringify([service, status, tenantId]), params, setParams);
  const { data, currentData, error, isFetching, refetch } = useListJobsQuery(
    { service, ...places.asked, pageSize: params.pageSize, status, tenantId },
    { refetchOnMountOrArgChange: true },
  );
  useEndOfPage(places, currentData?.next);
  const jobs = data?.items as Job[] | undefined;
  useAskAgain(jobs ?? NO_JOBS, refetch);
  useRetryWhenBack(error, () => void refetch());
  useLastPage(isFetching ? undefined : data, params, setParams);
  return (
    <Page fill>
      <PageHeader title={words('jobs.title')} count={data?.total} more={data?.more_than_total} text={t('intro')} />
      {offered.length > 1 && (
        <ScreenTabs
          label={t('services')}
          tabs={offered}
          value={service}
          onChange={(value) => value && value !== service && show(value)}
        />
      )}
      <FilterBar list={list} columns={columns} filters={filters} params={params} onParams={setParams} />
      <NamesOfPage rows={jobs ?? NO_JOBS} fields={named}>
        <DataTable
          label={words('jobs.title')}
          list={list}
          columns={columns}
          rows={jobs}
          total={data?.total ?? 0}
          more={data?.more_than_total}
          next={data?.next !== undefined}
          rowKey={keyOf}
          rowName={labelOf}
          params={params}
          onParams={setParams}
          onOpen={({ id }) => setOpen(id)}
          openKey={open}
          // What goes on is asked for every second, and would flicker.
          stale={isFetching && !currentData}
          error={error}
          failure={t('loadFailed')}
          onRetry={() => void refetch()}
          empty={
            <EmptyList params={withoutPart(params, SPLIT)} onParams={setParams}>
              <EmptyState icon={IconProgressCheck} title={t('emptyTitle')} text={t('emptyText')} />
            </EmptyList>
          }
        />
      </NamesOfPage>
      <Part height={0}>
        {open && (
          <JobDrawer
            key={open}
            service={service}
            id={open}
            neighbours={jobs ?? NO_JOBS}
            onShow={setOpen}
            onClose={() => setOpen(null)}
          />
        )}
      </Part>
    </Page>
  );
}

/** Whose jobs are shown, as the address says, and which others there are. */
function useService() {
  const { t } = useTranslation('jobs');
  const { search, change } = useAddress();
  const person = useSelector(selectPerson);
  const { ofTenants } = useWhose();
  const own = servicesOf(person);
  const service = SERVICES.find((each) => each === search.get('service')) ?? own[0] ?? 'fleet';
  const names = { fleet: t('service.fleet'), identity: ofTenants ? t('service.identity') : t('service.users') };
  const offered = SERVICES.filter((each) => each === service || own.includes(each));
  return {
    service,
    offered: offered.map((value) => ({ value, label: names[value] })),
    show: (value: string) =>
      change((next) => {
        next.delete('page');
        next.set('service', value);
      }, 'push'),
  };
}
