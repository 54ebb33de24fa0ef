import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useLastPositionsQuery } from '@/api/calls/positions';
import type { Device } from '@/api/types';
import { StatusBadge, type StatusTone } from '@/components/StatusBadge';
import { useClockOff } from '@/i18n/useClockOff';
import { useNow } from '@/lib/useNow';
import { usePolling } from '@/lib/usePolling';
import { freshness } from '@/live/freshness';
import { useLivePosition } from '@/live/useLive';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './DevicePage.module.css';

/** Whether its clock is right becomes known within minutes. */
const CLOCK_POLL_SECONDS = 60;

/** What of a device somebody has to see to now, besides its alarms. */
export function DeviceWarnings({ device }: { device: Device }) {
  const { t } = useTranslation('devicePage');
  const position = useLivePosition(device.id);
  const clock = useClockWarning(device);
  const now = useNow();
  const warnings: [StatusTone, string][] = [];
  if (device.imei_status === 'rejected') warnings.push(['negative', t('warning.rejected')]);
  if (device.imei_status === 'pending') warnings.push(['warning', t('warning.pending')]);
  if (device.status === 'inactive') warnings.push(['warning', t('warning.inactive')]);
  if (position && freshness(position, now) === 'offline') warnings.push(['warning', t('warning.offline')]);
  if (clock) warnings.push(['warning', clock]);
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

/** By how much the clock of its tracker is wrong, if it is. */
function useClockWarning(device: Device): string | undefined {
  const { t } = useTranslation('devicePage');
  const clockOff = useClockOff();
  const { currentData } = useLastPositionsQuery(
    { deviceId: [device.id], tenantId: device.tenant_id },
    {
      skip: !can('position:live', useSelector(selectPerson)),
      refetchOnMountOrArgChange: true,
      pollingInterval: usePolling(CLOCK_POLL_SECONDS),
    },
  );
  const newest = currentData?.items[0];
  const seconds = newest?.clock_off_seconds;
  if (!seconds) return undefined;
  const off = clockOff(seconds);
  if (newest.mark === 'clock_corrected') return t('warning.clockCorrected', { off });
  return t(seconds > 0 ? 'warning.clockFast' : 'warning.clockSlow', { off });
}
