import { Anchor, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListMaintenanceQuery } from '@/api/calls/maintenance';
import { newWith, useStackedDrawers } from '@/lib/drawerParam';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import classes from './DrivingHistory.module.css';
import { ErrorState } from './ErrorState';
import { MaintenanceBadge } from './MaintenanceBadge';
import { useDueWords } from './useDueWords';

/** No vehicle has more. */
const ALL = 100;

/** The maintenance of a vehicle, what is due next in front. */
export function MaintenanceOf({ deviceId, tenantId }: { deviceId: string; tenantId: string }) {
  const { t } = useTranslation('maintenance');
  const dueWords = useDueWords();
  const { open } = useStackedDrawers();
  const mayAdd = mayDo('maintenance', 'create', useSelector(selectPerson));
  const query = useListMaintenanceQuery(
    { deviceId, sort: 'expected_on', page: 1, pageSize: ALL },
    { refetchOnMountOrArgChange: true },
  );
  const { data, error } = query;
  if (error) return <ErrorState title={t('of.failed')} error={error} onRetry={() => void query.refetch()} />;
  const known = { device_id: deviceId, tenant_id: tenantId };
  return (
    <div aria-busy={query.isFetching}>
      {data?.total === 0 && <Text c="dimmed">{t('of.none')}</Text>}
      <ul className={classes.list}>
        {data?.items.map((each) => (
          <li key={each.id} className={classes.assignment}>
            <div className={classes.name}>
              <Anchor component="button" type="button" onClick={() => open('maintenance', each.id)}>
                {each.title}
              </Anchor>
              <MaintenanceBadge row={each} />
            </div>
            <Text size="sm" c="dimmed" className="tabular">
              {dueWords(each).join(' · ') || t('noLimit')}
            </Text>
          </li>
        ))}
      </ul>
      {mayAdd && (
        <Button variant="subtle" size="compact-sm" onClick={() => open('maintenance', newWith(known))}>
          {t('of.add')}
        </Button>
      )}
    </div>
  );
}
