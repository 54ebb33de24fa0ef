import { Anchor, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { useListPermissionsQuery } from '@/api/api';
import type { Permission } from '@/api/generated';
import { DataTable, type Column } from '@/components/DataTable';
import { DetailDrawer } from '@/components/DetailDrawer';
import { EmptyList } from '@/components/EmptyList';
import { EmptyState } from '@/components/EmptyState';
import { FilterBar } from '@/components/FilterBar';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { StatusBadge } from '@/components/StatusBadge';
import { usePermissionTexts, type PermissionTexts } from '@/i18n/usePermissionTexts';
import { NEW, useDrawerParam } from '@/lib/drawerParam';
import { useListParams, type ListParams } from '@/lib/listParams';
import { useRetryWhenBack } from '@/lib/useRetryWhenBack';
import { useTitle } from '@/lib/useTitle';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { PermissionForm } from './PermissionForm';
import { modulesOf } from './matrix';
import classes from './RolePage.module.css';

/** Everything that can be allowed or denied; platform owners add to it. */
export function CataloguePage() {
  const { t } = useTranslation('roles');
  useTitle(t('catalogue.title'));
  if (!can('role:list', useSelector(selectPerson))) return <NoAccess text={t('noAccess')} />;
  return <Catalogue />;
}

const keyOf = ({ key }: Permission) => key;
const NOBODY: Permission[] = [];

function Catalogue() {
  const { t } = useTranslation('roles');
  const mayChange = can('platform_owner', useSelector(selectPerson));
  const texts = usePermissionTexts();
  const { columns, filters } = useDefinition(texts);
  const list = useMemo(() => ({ table: 'permissions', sort: '', columns, filters }), [columns, filters]);
  const [params, setParams] = useListParams(list);
  const [open, setOpen] = useDrawerParam();
  const { data, error, isFetching, refetch } = useListPermissionsQuery(undefined, { refetchOnMountOrArgChange: true });
  useRetryWhenBack(error, () => void refetch());
  // The whole catalogue comes at once, so it is narrowed here.
  const all = data?.items ?? NOBODY;
  const rows = useMemo(() => found(all, params, texts), [all, params, texts]);
  const chosen = all.find(({ key }) => key === open);

  const add = mayChange && (
    <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setOpen(NEW)}>
      {t('catalogue.add')}
    </Button>
  );
  return (
    <Page fill>
      <Anchor component={Link} to="/roles" size="sm" className={classes.back}>
        {t('backToList')}
      </Anchor>
      <PageHeader title={t('catalogue.title')} count={data?.total} text={t('catalogue.text')} action={add} />
      <FilterBar
        searchLabel={t('matrix.search')}
        list={list}
        columns={columns}
        filters={filters}
        params={params}
        onParams={setParams}
      />
      <DataTable
        label={t('catalogue.title')}
        list={list}
        columns={columns}
        rows={data && rows}
        total={rows.length}
        rowKey={keyOf}
        rowName={({ key }) => texts.name(key)}
        params={params}
        onParams={setParams}
        onOpen={({ key }) => setOpen(key)}
        openKey={open}
        stale={isFetching}
        error={error}
        failure={t('catalogue.loadFailed')}
        onRetry={() => void refetch()}
        pager={false}
        empty={
          <EmptyList params={params} onParams={setParams}>
            <EmptyState title={t('catalogue.title')} text={t('catalogue.text')} action={add} />
          </EmptyList>
        }
      />
      {((mayChange && open === NEW) || chosen) && (
        <DetailDrawer
          key={open}
          title={chosen ? texts.name(chosen.key) : t('catalogue.createTitle')}
          onClose={() => setOpen(null)}
        >
          <PermissionForm
            permission={chosen && { ...chosen, description: texts.text(chosen.key, chosen.description) }}
            readOnly={chosen !== undefined && (chosen.is_built_in || !mayChange)}
            onClose={() => setOpen(null)}
          />
        </DetailDrawer>
      )}
    </Page>
  );
}

/** What matches search and filters, module by module. */
function found(all: Permission[], { q, filters }: ListParams, texts: PermissionTexts): Permission[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const kind = filters.kind?.[0];
  return modulesOf(all).flatMap(({ module, permissions }) =>
    permissions.filter(({ key, description, is_built_in }) => {
      if (kind && (kind === 'built_in') !== is_built_in) return false;
      const said = [key, texts.name(key), texts.text(key, description), texts.module(module)].join(' ').toLowerCase();
      return words.every((word) => said.includes(word));
    }),
  );
}

function useDefinition(texts: PermissionTexts) {
  const { t } = useTranslation('roles');
  return useMemo(() => {
    const columns: Column<Permission>[] = [
      { key: 'name', label: t('field.permission'), fixed: true, width: 240, cell: ({ key }) => texts.name(key) },
      {
        key: 'module',
        label: t('field.module'),
        width: 150,
        cell: ({ key }) => texts.module(key.split(':')[0] ?? ''),
      },
      {
        key: 'description',
        label: t('field.permissionDescription'),
        width: 380,
        phone: 'below',
        cell: ({ key, description }) => texts.text(key, description),
      },
      { key: 'key', label: t('field.key'), width: 180, cell: ({ key }) => <code>{key}</code> },
      {
        key: 'kind',
        label: t('field.kind'),
        width: 140,
        phone: 'beside',
        cell: ({ is_built_in }) => (
          <StatusBadge tone={is_built_in ? 'neutral' : 'info'}>
            {is_built_in ? t('catalogue.builtIn') : t('catalogue.added')}
          </StatusBadge>
        ),
      },
    ];
    const filters = [
      {
        kind: 'choice' as const,
        name: 'kind',
        label: t('field.kind'),
        options: [
          { value: 'built_in', label: t('catalogue.builtIn') },
          { value: 'added', label: t('catalogue.added') },
        ],
      },
    ];
    return { columns, filters };
  }, [t, texts]);
}
