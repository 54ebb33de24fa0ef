import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListMaintenanceLogsQuery } from '@/api/calls/maintenanceLogs';
import { ErrorState } from '@/components/ErrorState';
import { useFormats } from '@/i18n/useFormats';
import { useStackedDrawers } from '@/lib/drawerParam';
import classes from './Maintenance.module.css';
import { LateCell } from './MaintenanceCells';

const FIRST = 10;
const PAGE_STEP = 50;

/** What was completed of a maintenance, the newest first. */
export function CompletionsPart({ maintenanceId }: { maintenanceId: string }) {
  const { t } = useTranslation('maintenance');
  const formats = useFormats();
  const { open } = useStackedDrawers();
  const [shown, setShown] = useState(FIRST);
  const query = useListMaintenanceLogsQuery(
    { maintenanceId, sort: '-done_on', page: 1, pageSize: shown },
    { refetchOnMountOrArgChange: true },
  );
  const { data, error } = query;
  if (error) return <ErrorState title={t('history.failed')} error={error} onRetry={() => void query.refetch()} />;
  if (data?.total === 0) return <Text c="dimmed">{t('history.none')}</Text>;
  return (
    <div aria-busy={query.isFetching}>
      <ul className={classes.history}>
        {data?.items.map((log) => (
          <li key={log.id} className={classes.entry}>
            <div className={classes.line}>
              <Anchor component="button" type="button" onClick={() => open('maintenance-logs', log.id)}>
                {formats.date(log.done_on)}
              </Anchor>
              <LateCell row={log} />
              <span className="tabular">{formats.money(log.cost, log.currency)}</span>
            </div>
            <Text size="sm" c="dimmed">
              {[log.vendor, log.odometer > 0 && t('km', { formatted: formats.number(log.odometer) })]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </li>
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
