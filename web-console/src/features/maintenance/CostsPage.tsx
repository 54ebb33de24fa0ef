import { Anchor, Skeleton, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { useMaintenanceCostsQuery } from '@/api/calls/maintenanceLogs';
import type { MaintenanceCosts } from '@/api/generated';
import { DayInput } from '@/components/DayInput';
import { ErrorState } from '@/components/ErrorState';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import table from '@/components/PlainTable.module.css';
import { addDays, dayOf } from '@/i18n/timeZone';
import { useFormats } from '@/i18n/useFormats';
import { useAddress } from '@/lib/address';
import { useNow } from '@/lib/useNow';
import { useTitle } from '@/lib/useTitle';
import { mayDo, REGISTRY } from '@/resource/registry';
import { ResourceSelect } from '@/resource/ResourceSelect';
import { can } from '@/session/abilities';
import { selectPerson, selectTimeZone } from '@/session/sessionSlice';
import classes from './Maintenance.module.css';
import { MaintenanceTabs } from './MaintenanceTabs';
import { VehicleCell } from './MaintenanceCells';

const YEAR = 365;

/** What maintenance has cost, of each vehicle and for each kilometre. */
export function CostsPage() {
  const { t } = useTranslation('maintenance');
  useTitle(t('costs.title'));
  if (!mayDo('maintenance-logs', 'list', useSelector(selectPerson))) return <NoAccess text={t('costs.noAccess')} />;
  return <Costs />;
}

function Costs() {
  const { t } = useTranslation('maintenance');
  const { search, change } = useAddress();
  const ofPlatform = can('platform_owner', useSelector(selectPerson));
  const today = dayOf(useNow(), useSelector(selectTimeZone));
  const until = search.get('until') ?? today;
  const from = search.get('from') ?? addDays(until, 1 - YEAR);
  const tenantId = search.get('tenant_id') ?? '';
  const put = (name: string, value: string) =>
    change((next) => (value ? next.set(name, value) : next.delete(name)), 'push');
  const skip = ofPlatform && !tenantId;
  const query = useMaintenanceCostsQuery(
    { from, until, ...(ofPlatform && { tenantId }) },
    { skip, refetchOnMountOrArgChange: true },
  );
  const { currentData: costs, error } = query;
  const content = () => {
    if (skip) return <Text c="dimmed">{t('costs.chooseTenant')}</Text>;
    if (error) return <ErrorState title={t('costs.failed')} error={error} onRetry={() => void query.refetch()} />;
    return costs ? <Figures costs={costs} /> : <Skeleton height={240} />;
  };
  return (
    <Page>
      <PageHeader title={t('costs.title')} text={t('costs.intro')} />
      <MaintenanceTabs />
      <div className={classes.period}>
        {ofPlatform && (
          <ResourceSelect
            of="tenants"
            label={t('field.tenant_id')}
            value={tenantId}
            onChange={(id) => put('tenant_id', id)}
          />
        )}
        <DayInput label={t('costs.from')} value={from} max={until} onChange={(day) => put('from', day)} />
        <DayInput label={t('costs.until')} value={until} min={from} onChange={(day) => put('until', day)} />
      </div>
      {content()}
    </Page>
  );
}

/** All in all, and of each vehicle. */
function Figures({ costs }: { costs: MaintenanceCosts }) {
  const { t } = useTranslation('maintenance');
  const formats = useFormats();
  const say = {
    money: (minor: number | undefined) =>
      minor === undefined ? '–' : formats.money(Math.round(minor), costs.currency),
    km: (km: number | undefined) => (km === undefined ? '–' : t('km', { formatted: formats.number(km) })),
    onTime: (onTime: number, of: number) => (of === 0 ? '–' : `${formats.number((onTime / of) * 100)} %`),
  };
  const totals = [
    [t('costs.cost'), say.money(costs.cost)],
    [t('costs.distance'), say.km(costs.distance)],
    [t('costs.perKm'), say.money(costs.cost_per_km)],
    [t('costs.completions'), formats.number(costs.completions)],
    [t('costs.compliance'), say.onTime(costs.on_time, costs.completions)],
  ] as const;
  return (
    <>
      <ul className={classes.totals} aria-label={t('costs.title')}>
        {totals.map(([name, value]) => (
          <li key={name} className={classes.total}>
            <span className={classes.second}>{name}</span>
            <span className={`tabular ${classes.figure}`}>{value}</span>
          </li>
        ))}
      </ul>
      {costs.items.length === 0 ? (
        <Text c="dimmed">{t('costs.none')}</Text>
      ) : (
        <div className={table.frame} tabIndex={0} role="region" aria-label={t('costs.byVehicle')}>
          <Table className={table.table} aria-label={t('costs.byVehicle')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('costs.vehicle')}</Table.Th>
                {(['completions', 'compliance', 'distance', 'cost', 'perKm'] as const).map((name) => (
                  <Table.Th key={name} scope="col" data-number>
                    {t(`costs.${name}`)}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {costs.items.map((item) => (
                <Table.Tr key={item.device_id}>
                  <Table.Td>
                    <Anchor
                      component={Link}
                      to={`${REGISTRY['maintenance-logs'].path}?device_id=${item.device_id}`}
                      c="inherit"
                    >
                      <VehicleCell row={item} />
                    </Anchor>
                  </Table.Td>
                  <Table.Td className="tabular" data-number>
                    {formats.number(item.completions)}
                  </Table.Td>
                  <Table.Td className="tabular" data-number>
                    {say.onTime(item.on_time, item.completions)}
                  </Table.Td>
                  <Table.Td className="tabular" data-number>
                    {say.km(item.distance)}
                  </Table.Td>
                  <Table.Td className="tabular" data-number>
                    {say.money(item.cost)}
                  </Table.Td>
                  <Table.Td className="tabular" data-number>
                    {say.money(item.cost_per_km)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </>
  );
}
