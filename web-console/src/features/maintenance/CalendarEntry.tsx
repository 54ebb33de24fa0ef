import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Maintenance, MaintenanceLog } from '@/api/generated';
import { REGISTRY } from '@/resource/registry';
import classes from './Calendar.module.css';

/** Something on a day: what is due then, or what was done. */
export type Entry = { day: string } & ({ kind: 'due'; row: Maintenance } | { kind: 'done'; row: MaintenanceLog });

/** One of the calendar, which opens it. */
export function CalendarEntry({ entry, onOpen }: { entry: Entry; onOpen: (id: string) => void }) {
  const { t } = useTranslation('maintenance');
  const navigate = useNavigate();
  const { kind, row } = entry;
  const forecast = kind === 'due' && row.is_forecast;
  const state = kind === 'due' ? row.state : 'done';
  const stateText = forecast ? t('calendar.forecast') : t(`state.${state}` as 'state.due');
  const show = () =>
    kind === 'due' ? onOpen(row.id) : void navigate(`${REGISTRY['maintenance-logs'].path}?open=${row.id}`);
  return (
    <UnstyledButton className={classes.entry} data-state={state} data-forecast={forecast || undefined} onClick={show}>
      <span className={classes.title}>{row.title}</span>
      <span className={classes.about}>
        {row.device_name} · {stateText}
      </span>
    </UnstyledButton>
  );
}
