import { useTranslation } from 'react-i18next';
import type { Device } from '@/api/types';
import { StatusBadge, type StatusTone } from '@/components/StatusBadge';
import { useAlarmName } from '@/i18n/useAlarmName';
import { useNow } from '@/lib/useNow';
import { useLivePosition } from '@/live/useLive';
import { vehicleState } from '@/live/vehicleState';
import classes from './DevicePage.module.css';

/** What of a device somebody has to see to now. */
export function DeviceWarnings({ device }: { device: Device }) {
  const { t } = useTranslation('devicePage');
  const alarmName = useAlarmName();
  const position = useLivePosition(device.id);
  const warnings: [StatusTone, string][] = [];
  if (position?.alarm) warnings.push(['negative', t('warning.alarm', { alarm: alarmName(position.alarm) })]);
  if (device.imei_status === 'rejected') warnings.push(['negative', t('warning.rejected')]);
  if (device.imei_status === 'pending') warnings.push(['warning', t('warning.pending')]);
  if (device.status === 'inactive') warnings.push(['warning', t('warning.inactive')]);
  if (vehicleState(position, useNow()) === 'offline') warnings.push(['warning', t('warning.offline')]);
  if (warnings.length === 0) return null;
  return (
    <ul className={classes.warnings} aria-label={t('warning.title')}>
      {warnings.map(([tone, text]) => (
        <li key={text}>
          <StatusBadge tone={tone}>{text}</StatusBadge>
        </li>
      ))}
    </ul>
  );
}
