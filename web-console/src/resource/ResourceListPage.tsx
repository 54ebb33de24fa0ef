import { ActionIcon, Button, Group } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { useMemo, type ComponentProps } from 'react';
import { useSelector } from 'react-redux';
import { useNavigate } from 'react-router';
import { isApiError } from '@/api/errors';
import type { Page as PageOf } from '@/api/types';
import { DataTable } from '@/components/DataTable';
import { EmptyList, isNarrowed } from '@/components/EmptyList';
import { EmptyState } from '@/components/EmptyState';
import { ExportMenu } from '@/components/ExportMenu';
import { FilterBar } from '@/components/FilterBar';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { Part } from '@/components/Part';
import { SummaryCards, SummaryToggle, useSummaryShown } from '@/components/SummaryCards';
import { browserZone } from '@/i18n/timeZone';
import { useDeepPages, useEndOfPage } from '@/lib/deepPages';
import { IMPORT, knownOfNew, NEW, newWith, useDrawerParam } from '@/lib/drawerParam';
import { lazyPart } from '@/lib/lazyPart';
import { useLastPage, useListParams, type ListParams } from '@/lib/listParams';
import { usePolling } from '@/lib/usePolling';
import { useSelection } from '@/lib/selection';
import { useRetryWhenBack } from '@/lib/useRetryWhenBack';
import { useTitle } from '@/lib/useTitle';
import { selectPerson, selectTimeZone } from '@/session/sessionSlice';
import { callsOf, useListQuery, useSummaryQuery } from './calls';
import { idOf, nameOf, type Resource } from './defineResource';
import type { Row } from './fields';
import { NamesOfPage } from './names';
import { StackedDrawers } from './StackedDrawers';
import { usePartParams, withoutPart } from './usePartParams';
import { PartTabs } from './PartTabs';
import { mayDo, REGISTRY } from './registry';
import { ResourceDrawer } from './ResourceDrawer';
import { useResourceTexts } from './texts';
import { useBulkActs } from './useBulkActs';
import { fileColumns, filterParams, useResourceView } from './useResourceView';

// Most who look at a list take nothing in.
const ImportDrawer = lazyPart(async () => (await import('./imports/ImportDrawer')).ImportDrawer);

/** The list of a resource, for those who may see it. */
export function ResourceListPage<T extends Row>({ resource }: { resource: Resource<T> }) {
  const { t } = useResourceTexts(resource.key);
  useTitle(t('title'));
  if (!mayDo(resource.key, 'list', useSelector(selectPerson))) return <NoAccess text={t('noAccess')} />;
  return <List resource={resource} />;
}

const asIs = (params: ListParams) => params;

function List<T extends Row>({ resource }: { resource: Resource<T> }) {
  const { key, split, useScope = asIs, Toolbar, Filters } = resource;
  const navigate = useNavigate();
  const person = useSelector(selectPerson);
  const { words, part, list, columns, filters, named } = useResourceView(resource);
  const { t, has } = words;
  const [params, setParams] = usePartParams(split, part, useListParams(list));
  const scoped = useScope(params);
  const [open, setOpen] = useDrawerParam();
  const [summaryShown, showSummary] = useSummaryShown(key);
  const scope = JSON.stringify([scoped.q, scoped.filters]);
  const places = useDeepPages(scope, params, setParams);
  const { data, currentData, error, isFetching, refetch } = useListQuery<T>(
    key,
    resource.whole ? {} : { ...filterParams(scoped), sort: params.sort, ...places.asked, page_size: params.pageSize },
    { refetchOnMountOrArgChange: resource.refetchOnVisit, pollingInterval: usePolling(resource.pollSeconds) },
  );
  useEndOfPage(places, currentData?.next);
  const page = useMemo((): PageOf<T> | undefined => {
    const items = data && resource.whole?.(data.items, params, words);
    return items ? { items, total: items.length } : data;
  }, [resource, data, params, words]);
  // What is asked for again by itself every few seconds would flicker.
  const stale = isFetching && !(resource.pollSeconds && currentData);
  const total = page?.total ?? 0;
  const more = page?.more_than_total;
  const keyOf = useMemo(() => (row: T) => idOf(resource, row), [resource]);
  const selection = useSelection({ keyOf, scope, present: page?.items });
  const { acts, dialog } = useBulkActs(resource, selection, scoped, total, more);
  useRetryWhenBack(error, () => void refetch());
  useLastPage(isFetching ? undefined : page, params, setParams);

  if (isApiError(error) && error.status === 403) return <NoAccess text={t('noAccess')} />;
  const mayAdd = !resource.noCreate && mayDo(key, 'create', person);
  const imports = mayAdd && callsOf(key).imports;
  const add = mayAdd && (
    <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setOpen(NEW)}>
      {t('add')}
    </Button>
  );
  const { AddMore } = resource;
  const isBlank = total === 0 && page !== undefined && !isNarrowed(withoutPart(params, split));
  const head = mayAdd && (
    <Group gap="xs" data-phone-icons>
      {AddMore && <AddMore />}
      {add}
    </Group>
  );
  const toolbar = { params, onParams: setParams, onRefresh: () => void refetch() };
  const show = (row: T) => (resource.pathOf ? void navigate(resource.pathOf(row)) : setOpen(keyOf(row)));
  return (
    <Page fill>
      <PageHeader
        title={t('title')}
        count={page?.total}
        more={more}
        text={has('intro') ? t('intro') : undefined}
        action={isBlank ? undefined : head}
      />
      {split && <PartTabs resource={resource} part={part} />}
      {Toolbar && (
        <Part>
          <Toolbar {...toolbar} />
        </Part>
      )}
      {resource.summary && summaryShown && !isBlank && (
        <Summary resource={resource} params={scoped} onParams={setParams} />
      )}
      {!isBlank && (
        <FilterBar
          searchLabel={t('search')}
          list={list}
          columns={columns}
          filters={filters}
          params={params}
          onParams={setParams}
          own={Filters && <Filters {...toolbar} />}
        >
          {resource.summary && <SummaryToggle shown={summaryShown} onChange={showSummary} />}
          {imports && (
            <ActionIcon
              size={36}
              aria-label={t('import.open')}
              title={t('import.open')}
              onClick={() => setOpen(IMPORT)}
            >
              <IconUpload size={18} aria-hidden="true" />
            </ActionIcon>
          )}
          {callsOf(key).exports && mayDo(key, 'export', person) && (
            <Export resource={resource} params={scoped} disabled={total === 0} />
          )}
        </FilterBar>
      )}
      <NamesOfPage rows={page?.items ?? NO_ROWS} fields={named}>
        <DataTable
          label={t('title')}
          list={list}
          columns={columns}
          rows={page?.items}
          total={total}
          more={more}
          next={page?.next !== undefined}
          rowKey={keyOf}
          rowName={(row) => nameOf(resource, row, words)}
          params={params}
          onParams={setParams}
          onOpen={resource.closed ? undefined : show}
          openKey={open}
          stale={stale}
          error={error}
          pager={resource.whole ? false : undefined}
          failure={t('loadFailed')}
          onRetry={() => void refetch()}
          selection={acts.length > 0 ? selection : undefined}
          acts={acts}
          empty={
            <EmptyList params={withoutPart(params, split)} onParams={setParams}>
              <EmptyState
                icon={REGISTRY[key].place?.icon}
                title={t('emptyTitle')}
                text={t('emptyText')}
                action={
                  mayAdd && (
                    <Group gap="xs" justify="center">
                      {add}
                      {imports && (
                        <Button variant="default" onClick={() => setOpen(IMPORT)}>
                          {t('import.open')}
                        </Button>
                      )}
                    </Group>
                  )
                }
              />
            </EmptyList>
          }
        />
      </NamesOfPage>
      <Part height={0}>{dialog}</Part>
      {open === IMPORT && imports && (
        <ImportDrawer of={key} tenantId={scoped.filters.tenant_id?.[0] ?? ''} onClose={() => setOpen(null)} />
      )}
      <Part height={0}>
        {open && open !== IMPORT && (knownOfNew(open) ? mayAdd : !resource.closed) && (
          <ResourceDrawer
            key={open}
            resource={resource}
            open={split && open === NEW ? newWith({ [split.by]: part }) : open}
            neighbours={page?.items}
            onShow={setOpen}
            onClose={() => setOpen(null)}
          />
        )}
      </Part>
      <StackedDrawers />
    </Page>
  );
}

const NO_ROWS: Row[] = [];

interface ListPartProps<T extends Row> {
  resource: Resource<T>;
  params: ListParams;
}

function Export<T extends Row>({
  resource,
  params,
  ...rest
}: ListPartProps<T> & Pick<ComponentProps<typeof ExportMenu>, 'disabled'>) {
  const timeZone = useSelector(selectTimeZone) ?? browserZone();
  return (
    <ExportMenu
      file={(format) => ({
        url: `${callsOf(resource.key).path}/export`,
        params: {
          ...filterParams(params),
          sort: params.sort,
          format,
          columns: fileColumns(resource as unknown as Resource<never>, params.columns),
          tz: timeZone,
        },
      })}
      {...rest}
    />
  );
}

function Summary<T extends Row>({
  resource,
  params,
  onParams,
}: ListPartProps<T> & { onParams: (change: Partial<ListParams>) => void }) {
  const { t } = useResourceTexts(resource.key);
  const { data } = useSummaryQuery(resource.key, filterParams(params));
  return (
    <SummaryCards
      label={t('summary.title')}
      params={params}
      onParams={onParams}
      cards={(resource.summary ?? []).map(({ name, value, filter }) => ({
        key: name,
        label: t(`summary.${name}`),
        value: data?.[value ?? name],
        filter,
      }))}
    />
  );
}
