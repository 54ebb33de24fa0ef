import { useTranslation } from 'react-i18next';
import type { Maintenance, MaintenanceLog } from '@/api/generated';
import { StatusBadge } from '@/components/StatusBadge';
import { useDueWords } from '@/components/useDueWords';
import { useFormats } from '@/i18n/useFormats';
import classes from './Maintenance.module.css';
import { useWordText } from './words';

interface Vehicle {
  device_name: string;
  vehicle_code: string;
}

/** The vehicle with its plate. */
export const VehicleCell = ({ row: { device_name: name, vehicle_code: code } }: { row: Vehicle }) => (
  <span className={classes.pair}>
    <span data-cut>{name}</span>
    {code && (
      <span data-cut className={classes.second}>
        {code}
      </span>
    )}
  </span>
);

/** What limits a maintenance. */
export function DueCell({ row }: { row: Maintenance }) {
  const { t } = useTranslation('maintenance');
  const words = useDueWords()(row);
  return words.length > 0 ? (
    <span className="tabular">{words.join(' · ')}</span>
  ) : (
    <span className={classes.second}>{t('noLimit')}</span>
  );
}

/** When it will be due, and whether that is a forecast. */
export function ExpectedCell({ row: { expected_on: day, is_forecast: forecast } }: { row: Maintenance }) {
  const { t } = useTranslation('maintenance');
  const formats = useFormats();
  if (!day) return <span className={classes.second}>–</span>;
  const dateText = formats.date(day);
  return <span className="tabular">{forecast ? t('forecast', { day: dateText }) : dateText}</span>;
}

/** What people call how far it is. */
export const StatusCell = ({ row }: { row: Maintenance }) => useWordText()('status', row.status);

/** What people call how urgent it is. */
export const PriorityCell = ({ row }: { row: Maintenance }) => useWordText()('priority', row.priority);

/** Whether it was done in time. */
export function LateCell({ row: { is_late: late } }: { row: MaintenanceLog }) {
  const { t } = useTranslation('maintenance');
  return <StatusBadge tone={late ? 'warning' : 'positive'}>{late ? t('late') : t('onTime')}</StatusBadge>;
}
