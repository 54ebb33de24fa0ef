import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListUsersQuery } from '@/api/api';
import { pageOf, type User } from '@/api/types';
import { DataTable } from '@/components/DataTable';
import { EmptyList } from '@/components/EmptyList';
import { EmptyState } from '@/components/EmptyState';
import { ExportMenu } from '@/components/ExportMenu';
import { FilterBar } from '@/components/FilterBar';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { SummaryToggle, useSummaryShown } from '@/components/SummaryCards';
import { browserZone } from '@/i18n/timeZone';
import { NEW, useDrawerParam } from '@/lib/drawerParam';
import { useLastPage, useListParams, viewQuery } from '@/lib/listParams';
import { useSelection } from '@/lib/selection';
import { useRetryWhenBack } from '@/lib/useRetryWhenBack';
import { useTitle } from '@/lib/useTitle';
import { can } from '@/session/abilities';
import { selectPerson, selectTimeZone } from '@/session/sessionSlice';
import { LinkDialog, type ShownLink } from './LinkDialog';
import { UserDrawer, type ExplainUser } from './UserDrawer';
import { useUserDefinition } from './userDefinition';
import { userExport, userPage } from './userList';
import { UserSummaryCards } from './UserSummaryCards';
import { useUserBulk } from './useUserBulk';

/** The people who sign in, for those who may see them. */
export function UsersPage({ explain }: { explain: ExplainUser }) {
  const { t } = useTranslation('users');
  useTitle(t('title'));
  if (!can('user:list', useSelector(selectPerson))) {
    return <NoAccess text={t('noAccess')} />;
  }
  return <UserList explain={explain} />;
}

const keyOf = (user: User) => user.id;
const nameOf = (user: User) => user.name;

function UserList({ explain }: { explain: ExplainUser }) {
  const { t } = useTranslation('users');
  const person = useSelector(selectPerson);
  const { list, columns, filters } = useUserDefinition();
  const [params, setParams] = useListParams(list);
  const [open, setOpen] = useDrawerParam();
  const [link, setLink] = useState<ShownLink | null>(null);
  const [summaryShown, showSummary] = useSummaryShown(list.table);
  const timeZone = useSelector(selectTimeZone) ?? browserZone();
  const { data, error, isFetching, refetch } = useListUsersQuery(userPage(params));
  const page = useMemo(() => pageOf<User>(data), [data]);
  const total = page?.total ?? 0;
  const scope = JSON.stringify([params.q, params.filters]);
  const selection = useSelection({ keyOf, scope, present: page?.items });
  const { bulk, dialogs } = useUserBulk(selection, params, total);
  useRetryWhenBack(error, () => void refetch());
  useLastPage(isFetching ? undefined : page, params, setParams);

  const add = can('user:create', person) && (
    <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setOpen(NEW)}>
      {t('add')}
    </Button>
  );
  return (
    <Page fill>
      <PageHeader title={t('title')} count={page?.total} action={add} />
      {summaryShown && <UserSummaryCards params={params} onParams={setParams} />}
      <FilterBar
        searchLabel={t('search')}
        list={list}
        columns={columns}
        filters={filters}
        params={params}
        onParams={setParams}
      >
        <SummaryToggle shown={summaryShown} onChange={showSummary} />
        {can('user:export', person) && (
          <ExportMenu
            file={(format) => userExport(params, format, timeZone)}
            printPath={`/print/users?${viewQuery(params, list)}`}
            disabled={total === 0}
          />
        )}
      </FilterBar>
      <DataTable
        label={t('title')}
        list={list}
        columns={columns}
        rows={page?.items}
        total={total}
        rowKey={keyOf}
        rowName={nameOf}
        params={params}
        onParams={setParams}
        onOpen={(user) => setOpen(user.id)}
        openKey={open}
        stale={isFetching}
        error={error}
        failure={t('loadFailed')}
        onRetry={() => void refetch()}
        selection={bulk && selection}
        bulk={bulk}
        empty={
          <EmptyList params={params} onParams={setParams}>
            <EmptyState title={t('emptyTitle')} text={t('emptyText')} action={add} />
          </EmptyList>
        }
      />
      {dialogs}
      {open && (open !== NEW || can('user:create', person)) && (
        <UserDrawer
          key={open}
          id={open === NEW ? null : open}
          neighbours={page?.items ?? []}
          onShow={setOpen}
          onLink={setLink}
          explain={explain}
          onClose={() => setOpen(null)}
        />
      )}
      <LinkDialog shown={link} onClose={() => setLink(null)} />
    </Page>
  );
}
