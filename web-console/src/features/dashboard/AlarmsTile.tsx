import { useTranslation } from 'react-i18next';
import type { AlarmSeverity } from '@/api/generated';
import { useOpenAlarms } from '@/components/alarms/useOpenAlarms';
import { ErrorState } from '@/components/ErrorState';
import { Figures, type Figure } from './Figures';
import { Tile } from './Tile';

/** How many alarms nobody has acknowledged, by how much they ask. */
export function AlarmsTile() {
  const { t } = useTranslation(['dashboard', 'alarms']);
  const [critical, warning] = [useOpenAlarms('critical'), useOpenAlarms('warning')];
  const failed = [critical, warning].find((alarms) => alarms?.error !== undefined && alarms.count === undefined);
  const figure = (severity: AlarmSeverity, alarms: ReturnType<typeof useOpenAlarms>): Figure => ({
    key: severity,
    label: t(`alarms:severity.${severity as 'critical'}`),
    value: alarms?.count,
    to: `/alarms?state=open&severity=${severity}`,
    urgent: severity === 'critical',
  });
  return (
    <Tile tile="alarms" more="/alarms?state=open">
      {failed ? (
        <ErrorState title={t('failed.alarms')} error={failed.error} onRetry={failed.refetch} />
      ) : (
        <Figures label={t('tile.alarms')} figures={[figure('critical', critical), figure('warning', warning)]} />
      )}
    </Tile>
  );
}
