import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Alarm } from '@/api/generated';
import { useOpenAlarms, type OpenAlarms } from '@/components/alarms/useOpenAlarms';
import { ErrorState } from '@/components/ErrorState';
import { ALARM_KINDS } from '@/components/events/eventKinds';
import { lazyPart } from '@/lib/lazyPart';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { countOf, eventsPath, SYSTEM_KINDS, useEventCounts, useToday } from './events';
import { Figures, type Figure } from './Figures';
import { Tile } from './Tile';

/** A moment after the numbers, which do not wait for it. */
const AlarmLines = lazyPart(async () => (await import('./AlarmLines')).AlarmLines);

/** As many as stand beside the map. */
const SHOWN = 3;
const LINE_PX = 76;
/** What nobody has seen to, in the list of alarms. */
const OPEN = '/alarms?state=open';

/** What asks for somebody: how much of it there is, and the alarms that ask most, to be acknowledged in place. */
export function AlarmsTile() {
  const { t } = useTranslation(['dashboard', 'alarms']);
  const open = useOpenAlarms();
  const figures = useNotices(open);
  return (
    <Tile tile="alarms" more={open ? OPEN : undefined}>
      <Figures label={t('tile.alarms')} figures={figures} />
      {open?.error !== undefined && !open.alarms ? (
        <ErrorState title={t('failed.alarms')} error={open.error} onRetry={open.refetch} />
      ) : (
        open?.alarms && <Lines alarms={open.alarms.slice(0, SHOWN)} />
      )}
    </Tile>
  );
}

/** What nobody has seen to, and what has come in today. */
function useNotices(open: OpenAlarms | null): Figure[] {
  const { t } = useTranslation('dashboard');
  const maySeeEvents = can('event:list', useSelector(selectPerson));
  const day = useToday();
  const { currentData: summary } = useEventCounts(day);
  const ofEvents = (key: 'alarms' | 'system', kinds: readonly string[]): Figure => ({
    key,
    label: t(`today.${key}`),
    value: countOf(summary, kinds),
    to: eventsPath(kinds, day),
  });
  return [
    // Of all that could be unread, alarms alone are kept as such.
    ...(open ? [{ key: 'unread', label: t('today.unread'), value: open.count, to: OPEN, urgent: true }] : []),
    ...(maySeeEvents ? [ofEvents('alarms', ALARM_KINDS), ofEvents('system', SYSTEM_KINDS)] : []),
  ];
}

/** Their place is kept until they are there. */
function Lines({ alarms }: { alarms: readonly Alarm[] }) {
  const { t } = useTranslation('alarms');
  if (alarms.length === 0) return <Text c="dimmed">{t('standing.none')}</Text>;
  return (
    <div style={{ minHeight: alarms.length * LINE_PX }}>
      <AlarmLines alarms={alarms} />
    </div>
  );
}
