import { ActionIcon, Switch } from '@mantine/core';
import { IconArrowsLeftRight, IconEqual } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListPermissionsQuery } from '@/api/calls/permissions';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { ResourceSelect } from '@/resource/ResourceSelect';
import { useFormats } from '@/i18n/useFormats';
import { useAddress } from '@/lib/address';
import { useTitle } from '@/lib/useTitle';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { BackToRoles } from './BackToRoles';
import { CompareTable } from './CompareTable';
import { ComparisonSideSelect } from './ComparisonSideSelect';
import { effectOf, effectsOf, modulesOf, filterModules } from './matrix';
import { templateOf, useComparisonSide, type ComparisonSide } from './useComparisonSide';
import classes from './ComparePage.module.css';

/** Two roles side by side, or a role and a template; the address says which. */
export function ComparePage() {
  // With those of the matrix, which comes later: a screen that stands does not wait.
  const { t } = useTranslation(['roles', 'permissions']);
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
  const first = useComparisonSide(left);
  const second = useComparisonSide(right);
  // Roles of one tenant are compared: that of the one that is chosen, or the one that a platform owner names.
  const tenant = search.get('tenant_id') ?? first.tenantId ?? second.tenantId ?? '';
  const unlessRole = (side: string) => (templateOf(side) === null ? '' : side);
  const put = (values: Record<string, string>) =>
    change((next) => {
      for (const [name, value] of Object.entries(values)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
    });
  return (
    <Page>
      <BackToRoles />
      <PageHeader title={t('compare.title')} text={t('compare.text')} />
      <div className={classes.choice}>
        {can('platform_owner', person) && (
          <ResourceSelect
            of="tenants"
            label={t('field.tenant_id')}
            value={tenant}
            onChange={(id) => put({ tenant_id: id, left: unlessRole(left), right: unlessRole(right) })}
          />
        )}
        <ComparisonSideSelect
          label={t('compare.left')}
          value={left}
          onChange={(side) => put({ left: side })}
          tenantId={tenant}
        />
        <ActionIcon
          variant="default"
          aria-label={t('compare.swap')}
          disabled={!left && !right}
          onClick={() => put({ left: right, right: left })}
        >
          <IconArrowsLeftRight size={16} aria-hidden="true" />
        </ActionIcon>
        <ComparisonSideSelect
          label={t('compare.right')}
          value={right}
          onChange={(side) => put({ right: side })}
          tenantId={tenant}
        />
      </div>
      {first.isChosen && second.isChosen ? (
        <Compared
          first={first}
          second={second}
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
  first: ComparisonSide;
  second: ComparisonSide;
  everything: boolean;
  onEverything: (on: boolean) => void;
}

function Compared({ first, second, everything, onEverything }: ComparedProps) {
  const { t } = useTranslation('roles');
  const formats = useFormats();
  const catalogue = useListPermissionsQuery();
  const error = first.error ?? second.error ?? (catalogue.data ? undefined : catalogue.error);
  if (error) {
    const again = () => {
      if (!catalogue.data) void catalogue.refetch();
      for (const side of [first, second]) if (side.error) side.retry();
    };
    return <ErrorState title={t('compare.failed')} error={error} onRetry={again} />;
  }
  if (!catalogue.data || !first.items || !second.items) return <div aria-busy="true" className={classes.arriving} />;

  const sides = [effectsOf(first.items), effectsOf(second.items)] as const;
  const differs = ({ key }: { key: string }) => effectOf(sides[0], key) !== effectOf(sides[1], key);
  const permissions = catalogue.data.items;
  const differences = permissions.filter(differs).length;
  const words = {
    count: differences,
    formatted: formats.number(differences),
    total: formats.number(permissions.length),
  };
  const modules = filterModules(modulesOf(permissions), (permission) => everything || differs(permission));
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
        <CompareTable modules={modules} names={[first.name, second.name]} sides={sides} differs={differs} />
      ) : (
        <EmptyState icon={IconEqual} title={t('compare.sameTitle')} text={t('compare.sameText')} />
      )}
    </>
  );
}
