import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { FleetDay } from '@/api/generated';
import { useOpenAlarms } from '@/components/alarms/useOpenAlarms';
import { ErrorState } from '@/components/ErrorState';
import { ALARM_KINDS } from '@/components/events/eventKinds';
import { useFormats } from '@/i18n/useFormats';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { countOf, eventsPath, SYSTEM_KINDS, useEventCounts, useToday } from './events';
import { Figures, type Figure } from './Figures';
import { Tile } from './Tile';
import { useFleetDay, useMaintenanceCounts } from './useCounts';

const ALL: readonly string[] = [];
const IDLING: readonly string[] = ['vehicle.idling'];
/** What nobody has seen to, in the list of alarms. */
const OPEN = '/alarms?state=open';
/** What is to be done now, in the list of maintenance. */
const DUE = '/maintenance?state=due&state=overdue';

/** The numbers with which a day begins: what has happened today, how much was driven, and what is to be done. */
export function TodayTile() {
  const { t } = useTranslation('dashboard');
  const formats = useFormats();
  const person = useSelector(selectPerson);
  const day = useToday();
  const events = useEventCounts(day);
  const maintenance = useMaintenanceCounts();
  const fleet = useFleetDay(day);
  const alarms = useOpenAlarms();
  const failed = [events, maintenance, fleet].find(({ currentData, error }) => !currentData && error);
  const due = maintenance.currentData && maintenance.currentData.due + maintenance.currentData.overdue;
  const ofEvents = (key: 'events' | 'alarms' | 'system', kinds: readonly string[]) => {
    const value = countOf(events.currentData, kinds);
    return can('event:list', person) ? [{ key, label: t(`today.${key}`), value, to: eventsPath(kinds, day) }] : [];
  };
  const hours = (seconds: number) => t('today.hours', { formatted: formats.number(seconds / 3_600, 0) });
  const idling = can('event:list', person) ? eventsPath(IDLING, day) : '/devices';
  const ofFleet = (today: FleetDay | undefined): Figure[] => [
    {
      key: 'distance',
      label: t('today.distance'),
      value: today?.distance,
      to: '/devices',
      write: formats.distance,
    },
    { key: 'trips', label: t('today.trips'), value: today?.trips, to: '/devices' },
    { key: 'engine', label: t('today.engine'), value: today?.engine_seconds, to: '/devices', write: hours },
    { key: 'idle', label: t('today.idle'), value: today?.idle_seconds, to: idling, write: hours },
    { key: 'driven', label: t('today.driven'), value: today?.driven, to: '/devices' },
  ];
  const figures: Figure[] = [
    // What nobody has seen to: of all that could be unread, alarms alone are kept as such.
    ...(can('alarm:list', person)
      ? [{ key: 'unread', label: t('today.unread'), value: alarms?.count, to: OPEN, urgent: true }]
      : []),
    ...ofEvents('events', ALL),
    ...ofEvents('alarms', ALARM_KINDS).map((figure) => ({ ...figure, urgent: true })),
    ...(can('maintenance:list', person)
      ? [{ key: 'maintenance', label: t('today.maintenance'), value: due, to: DUE, urgent: true }]
      : []),
    ...ofEvents('system', SYSTEM_KINDS),
    ...(can('device:list', person) ? ofFleet(fleet.currentData) : []),
  ];
  return (
    <Tile tile="today">
      {failed ? (
        <ErrorState title={t('failed.today')} error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        <Figures label={t('tile.today')} figures={figures} />
      )}
    </Tile>
  );
}
