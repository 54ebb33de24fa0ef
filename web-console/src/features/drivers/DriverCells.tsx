import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Driver } from '@/api/types';
import { StatusBadge } from '@/components/StatusBadge';
import { addDays, dayOf } from '@/i18n/timeZone';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { selectTimeZone } from '@/session/sessionSlice';
import classes from './DriverCells.module.css';
import { notedVehicle } from './notedVehicle';
import { useListedVehicles } from './usePresentVehicles';

/** From so many days before it expires on, a licence is marked. */
const SOON_DAYS = 30;

/** What matters most, and what is less in sight. */
function Pair({ first, second, className = '' }: { first: ReactNode; second: ReactNode; className?: string }) {
  if (!first && !second) return <span data-none>–</span>;
  return (
    <span className={`${classes.pair} ${className}`}>
      {first && <span data-cut>{first}</span>}
      {second && (
        <span data-cut className={classes.second}>
          {second}
        </span>
      )}
    </span>
  );
}

/** How a driver is reached. */
export const ContactCell = ({ row: { phone, email } }: { row: Driver }) => (
  <Pair first={phone && <span className="tabular">{phone}</span>} second={email} />
);

/** What a driver drives now; where that is nothing, what was noted down. */
export function VehicleCell({ row }: { row: Driver }) {
  const { t } = useTranslation('drivers');
  const vehicles = useListedVehicles(row.id);
  if (!vehicles) return null;
  const noted = notedVehicle(row);
  if (vehicles.length > 0) return vehicles.map(({ device_name: name }) => name).join(', ');
  return noted ? <span className={classes.second}>{t('drives.noted', { text: noted })}</span> : '–';
}

/** The licence, with a mark when it has expired or soon will. */
export function LicenseCell({
  row: { license_number: number, license_class: kind, license_expiry: expiry },
}: {
  row: Driver;
}) {
  return (
    <Pair
      className={classes.license}
      first={[number, kind].filter(Boolean).join(' · ')}
      second={expiry && <Expiry day={expiry} />}
    />
  );
}

function Expiry({ day }: { day: string }) {
  const { t } = useTranslation('drivers');
  const formats = useFormats();
  const today = dayOf(useNow(), useSelector(selectTimeZone));
  const values = { day: formats.date(day) };
  if (day < today) return <StatusBadge tone="negative">{t('expired', values)}</StatusBadge>;
  if (day > addDays(today, SOON_DAYS)) return t('expires', values);
  return <StatusBadge tone="warning">{t('expires', values)}</StatusBadge>;
}
