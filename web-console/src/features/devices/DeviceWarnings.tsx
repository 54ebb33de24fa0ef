import { useTranslation } from 'react-i18next';
import type { Device } from '@/api/types';
import { StatusBadge, type StatusTone } from '@/components/StatusBadge';
import { useNow } from '@/lib/useNow';
import { freshness } from '@/live/freshness';
import { useLivePosition } from '@/live/useLive';
import classes from './DevicePage.module.css';

/** What of a device somebody has to see to now, besides its alarms. */
export function DeviceWarnings({ device }: { device: Device }) {
  const { t } = useTranslation('devicePage');
  const position = useLivePosition(device.id);
  const now = useNow();
  const warnings: [StatusTone, string][] = [];
  if (device.imei_status === 'rejected') warnings.push(['negative', t('warning.rejected')]);
  if (device.imei_status === 'pending') warnings.push(['warning', t('warning.pending')]);
  if (device.status === 'inactive') warnings.push(['warning', t('warning.inactive')]);
  if (position && freshness(position, now) === 'offline') warnings.push(['warning', t('warning.offline')]);
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
