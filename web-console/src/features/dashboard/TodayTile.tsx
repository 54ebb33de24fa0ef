import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { ErrorState } from '@/components/ErrorState';
import { useFormats } from '@/i18n/useFormats';
import { useLiveCounts, useLiveSettled } from '@/live/useLive';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { countOf, eventsPath, GROUPS, useEventCounts, useToday } from './events';
import { Figures, type Figure } from './Figures';
import { Tile } from './Tile';
import { useFleetDay, useMaintenanceCounts, useYesterday } from './useCounts';

/** What is to be done now, in the list of maintenance. */
const DUE = '/maintenance?state=due&state=overdue';

const HOUR_S = 3_600;

/** The numbers with which a day begins: how much was driven, what was driven too fast, and what is to be done. */
export function TodayTile() {
  const { t } = useTranslation('dashboard');
  const person = useSelector(selectPerson);
  const day = useToday();
  const events = useEventCounts(day);
  const maintenance = useMaintenanceCounts();
  const fleet = useFleetDay(day);
  const driven = useDriven(day);
  const failed = [events, maintenance, fleet].find(({ currentData, error }) => !currentData && error);
  const due = maintenance.currentData && maintenance.currentData.due + maintenance.currentData.overdue;
  const figures: Figure[] = [
    ...(can('device:list', person) ? driven : []),
    ...(can('event:list', person)
      ? [
          {
            key: 'overspeed',
            label: t('group.overspeed'),
            value: countOf(events.currentData, GROUPS.overspeed),
            to: eventsPath(GROUPS.overspeed, day),
          },
        ]
      : []),
    ...(can('maintenance:list', person)
      ? [{ key: 'maintenance', label: t('today.maintenance'), value: due, to: DUE, urgent: true }]
      : []),
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

/** What the vehicles have driven, which no list has row by row. */
function useDriven(day: string): Figure[] {
  const { t } = useTranslation('dashboard');
  const formats = useFormats();
  const { currentData: today } = useFleetDay(day);
  const yesterday = useYesterday(day);
  const counts = useLiveCounts();
  const settled = useLiveSettled();
  const vehicles = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const ofAll = (driven: number) => `${formats.number(driven)}/${formats.number(vehicles)}`;
  const hours = (seconds: number) =>
    t('today.hours', { formatted: formats.number(seconds / HOUR_S, seconds < 10 * HOUR_S ? 1 : 0) });
  return [
    {
      key: 'distance',
      label: t('today.distance'),
      value: today?.distance,
      write: formats.distance,
      note: yesterday ? t('today.yesterday', { distance: formats.distance(yesterday.distance) }) : '',
    },
    {
      key: 'driven',
      label: t('today.driven'),
      value: today?.driven,
      write: settled && vehicles > 0 ? ofAll : undefined,
    },
    { key: 'trips', label: t('today.trips'), value: today?.trips },
    { key: 'idle', label: t('today.idle'), value: today?.idle_seconds, write: hours },
  ];
}
