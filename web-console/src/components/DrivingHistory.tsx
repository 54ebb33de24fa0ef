import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListDriverAssignmentsQuery } from '@/api/calls/drivers';
import type { DriverAssignment } from '@/api/generated';
import { useFormats } from '@/i18n/useFormats';
import { useStackedDrawers } from '@/lib/drawerParam';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import classes from './DrivingHistory.module.css';
import { ErrorState } from './ErrorState';
import { StatusBadge } from './StatusBadge';

const FIRST = 10;
const PAGE_STEP = 50;

/** Who drove a vehicle, or which vehicles somebody drove, the newest first. */
export function DrivingHistory(of: { deviceId?: string; driverId?: string }) {
  const { t } = useTranslation('drivers');
  const [shown, setShown] = useState(FIRST);
  const query = useListDriverAssignmentsQuery({ ...of, page: 1, pageSize: shown }, { refetchOnMountOrArgChange: true });
  const { data, error } = query;
  if (error) return <ErrorState title={t('history.failed')} error={error} onRetry={() => void query.refetch()} />;
  if (data?.total === 0)
    return <Text c="dimmed">{of.deviceId ? t('history.noDrivers') : t('history.noVehicles')}</Text>;
  return (
    <div aria-busy={query.isFetching}>
      <ul className={classes.list}>
        {data?.items.map((each) => (
          <Assignment key={each.id} assignment={each} of={of.deviceId ? 'drivers' : 'devices'} />
        ))}
      </ul>
      {data && data.total > data.items.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setShown(shown + PAGE_STEP)}>
          {t('history.more')}
        </Button>
      )}
    </div>
  );
}

function Assignment({ assignment: each, of }: { assignment: DriverAssignment; of: 'drivers' | 'devices' }) {
  const { t } = useTranslation('drivers');
  const formats = useFormats();
  const { open } = useStackedDrawers();
  const mayOpen = mayDo(of, 'list', useSelector(selectPerson));
  const [id, name] = of === 'drivers' ? [each.driver_id, each.driver_name] : [each.device_id, each.device_name];
  const [from, until] = [each.assigned_from, each.assigned_until];
  return (
    <li className={classes.assignment}>
      <span className={classes.name}>
        {mayOpen ? (
          <Anchor component="button" type="button" onClick={() => open(of, id)}>
            {name}
          </Anchor>
        ) : (
          name
        )}
        {!until && <StatusBadge tone="info">{t('history.now')}</StatusBadge>}
      </span>
      <Text size="sm" c="dimmed" className="tabular">
        {until
          ? t('history.period', { from: formats.dateTime(from), until: formats.dateTime(until) })
          : t('history.since', { from: formats.dateTime(from) })}
      </Text>
    </li>
  );
}
