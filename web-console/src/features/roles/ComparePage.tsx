import { ActionIcon, Anchor, Switch } from '@mantine/core';
import { IconArrowsLeftRight, IconEqual } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { useGetRolePermissionsQuery, useGetRoleQuery, useListPermissionsQuery } from '@/api/api';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { TenantSelect } from '@/components/TenantSelect';
import { useFormats } from '@/i18n/useFormats';
import { useAddress } from '@/lib/address';
import { useTitle } from '@/lib/useTitle';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { CompareTable } from './CompareTable';
import { RoleSelect } from './RoleSelect';
import { effectOf, effectsOf, modulesOf, narrowed } from './matrix';
import classes from './ComparePage.module.css';

/** Two roles side by side; the address says which. */
export function ComparePage() {
  const { t } = useTranslation('roles');
  useTitle(t('compare.title'));
  if (!can('role:list', useSelector(selectPerson))) return <NoAccess text={t('noAccess')} />;
  return <Compare />;
}

function Compare() {
  const { t } = useTranslation('roles');
  const person = useSelector(selectPerson);
  const { search, change } = useAddress();
  const left = search.get('left') ?? '';
  const right = search.get('right') ?? '';
  const first = useGetRoleQuery({ id: left }, { skip: !left });
  const second = useGetRoleQuery({ id: right }, { skip: !right });
  // Roles of one tenant are compared: that of the one that is chosen, or the one that a platform owner names.
  const tenant = search.get('tenant_id') ?? first.currentData?.tenant_id ?? second.currentData?.tenant_id ?? '';
  const put = (values: Record<string, string>) =>
    change((next) => {
      for (const [name, value] of Object.entries(values)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
    });
  return (
    <Page>
      <Anchor component={Link} to="/roles" size="sm" className={classes.back}>
        {t('backToList')}
      </Anchor>
      <PageHeader title={t('compare.title')} text={t('compare.text')} />
      <div className={classes.choice}>
        {can('platform_owner', person) && (
          <TenantSelect
            label={t('field.tenant')}
            value={tenant}
            onChange={(id) => put({ tenant_id: id, left: '', right: '' })}
          />
        )}
        <RoleSelect label={t('compare.left')} value={left} onChange={(id) => put({ left: id })} tenantId={tenant} />
        <ActionIcon
          variant="default"
          aria-label={t('compare.swap')}
          disabled={!left && !right}
          onClick={() => put({ left: right, right: left })}
        >
          <IconArrowsLeftRight size={16} aria-hidden="true" />
        </ActionIcon>
        <RoleSelect label={t('compare.right')} value={right} onChange={(id) => put({ right: id })} tenantId={tenant} />
      </div>
      {left && right ? (
        <Compared
          left={left}
          right={right}
          names={[first.currentData?.name ?? '…', second.currentData?.name ?? '…']}
          everything={search.get('show') === 'all'}
          onEverything={(on) => put({ show: on ? 'all' : '' })}
        />
      ) : (
        <EmptyState icon={IconArrowsLeftRight} title={t('compare.chooseTitle')} text={t('compare.chooseText')} />
      )}
    </Page>
  );
}

interface ComparedProps {
  left: string;
  right: string;
  names: [string, string];
  everything: boolean;
  onEverything: (on: boolean) => void;
}

function Compared({ left, right, names, everything, onEverything }: ComparedProps) {
  const { t } = useTranslation('roles');
  const formats = useFormats();
  const catalogue = useListPermissionsQuery();
  const first = useGetRolePermissionsQuery({ id: left });
  const second = useGetRolePermissionsQuery({ id: right });
  const all = [catalogue, first, second];
  const error = all.find((each) => each.error && !each.currentData)?.error;
  if (error) {
    return <ErrorState title={t('compare.failed')} error={error} onRetry={() => all.forEach(({ refetch }) => void refetch())} />;
  }
  if (!catalogue.data || !first.currentData || !second.currentData) return <div aria-busy="true" className={classes.arriving} />;

  const sides = [effectsOf(first.currentData.items), effectsOf(second.currentData.items)] as const;
  const differs = ({ key }: { key: string }) => effectOf(sides[0], key) !== effectOf(sides[1], key);
  const permissions = catalogue.data.items;
  const differences = permissions.filter(differs).length;
  const words = { count: differences, formatted: formats.number(differences), total: formats.number(permissions.length) };
  const modules = narrowed(modulesOf(permissions), (permission) => everything || differs(permission));
  return (
    <>
      <div className={classes.summary}>
        <span role="status">{differences === 0 ? t('compare.same') : t('compare.differences', words)}</span>
        <Switch
          label={t('compare.everything')}
          checked={everything}
          onChange={(event) => onEverything(event.currentTarget.checked)}
        />
      </div>
      {modules.length > 0 ? (
        <CompareTable modules={modules} names={names} sides={sides} differs={differs} />
      ) : (
        <EmptyState icon={IconEqual} title={t('compare.sameTitle')} text={t('compare.sameText')} />
      )}
    </>
  );
}
