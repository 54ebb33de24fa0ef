import { ActionIcon, Button, SegmentedControl, Select, Tabs } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { TrackSegment } from '@/api/generated';
import { DayInput } from '@/components/DayInput';
import { Part } from '@/components/Part';
import { TabRow } from '@/components/TabRow';
import { addDays, dayOf } from '@/i18n/timeZone';
import { useFormats } from '@/i18n/useFormats';
import { PLAYED_MAX } from '@/lib/address';
import { isWholeDay } from '@/lib/daySpan';
import { useNow } from '@/lib/useNow';
import { ResourceMultiSelect } from '@/resource/ResourceMultiSelect';
import { selectTimeZone } from '@/session/sessionSlice';
import { DoubtList } from './DoubtList';
import { EventList, EventsFailed } from './EventList';
import type { MarkedEvent } from './events';
import { PointFacts } from './PointFacts';
import classes from './Playback.module.css';
import type { Played } from './PlaybackPage';
import { SegmentList } from './SegmentList';
import type { PlaybackClock } from './track/clock';
import { TrackExport } from './TrackExport';
import { COLOURINGS, type Colouring, type PlaybackAddress } from './usePlaybackAddress';
import type { PlaybackEvents } from './usePlaybackEvents';

interface PlaybackPanelProps {
  address: PlaybackAddress;
  played: readonly Played[];
  active: Played | undefined;
  onActive: (id: string) => void;
  clock: PlaybackClock;
  onChoose: (segment: TrackSegment) => void;
  events: PlaybackEvents;
  /** The same each time. */
  onChooseEvent: (event: MarkedEvent) => void;
  onReload: () => void;
}

/** Which vehicles and days, and what they were doing. */
export function PlaybackPanel(props: PlaybackPanelProps) {
  const { t } = useTranslation('playback');
  const { address, played, active, events } = props;
  const { deviceIds, colouring, set } = address;
  return (
    <aside className={classes.panel} aria-label={t('panel')}>
      <div className={classes.form}>
        <ResourceMultiSelect
          of="devices"
          label={t('vehicles')}
          placeholder={deviceIds.length === 0 ? t('chooseVehicle') : undefined}
          value={deviceIds}
          maxValues={PLAYED_MAX}
          onChange={(ids) => set({ deviceIds: ids })}
        />
        <Days address={address} onReload={props.onReload} />
        {deviceIds.length === 1 && (
          <SegmentedControl
            size="xs"
            fullWidth
            aria-label={t('colour.label')}
            value={colouring}
            data={COLOURINGS.map((value) => ({ value, label: t(`colour.${value}`) }))}
            onChange={(value) => set({ colouring: value as Colouring })}
          />
        )}
        {played.length > 1 && (
          <Select
            size="xs"
            label={t('active')}
            allowDeselect={false}
            value={active?.id ?? null}
            data={played.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(id) => id && props.onActive(id)}
          />
        )}
      </div>
      {events.failed && <EventsFailed onRetry={events.retry} />}
      {active && <Details {...props} active={active} />}
    </aside>
  );
}

/** What one vehicle did: its trips and stops, what happened to it, and everything of one fix. */
function Details(props: PlaybackPanelProps & { active: Played }) {
  const { t } = useTranslation('playback');
  const { active, address, clock, events } = props;
  return (
    <Tabs defaultValue="segments" keepMounted={false} className={classes.tabs}>
      <div className={classes.head}>
        <TabRow>
          <Tabs.Tab value="segments">{t('tab.segments')}</Tabs.Tab>
          {events.allowed && <Tabs.Tab value="events">{t('events.tab')}</Tabs.Tab>}
          <Tabs.Tab value="point">{t('tab.point')}</Tabs.Tab>
        </TabRow>
        <TrackExport deviceId={active.id} from={address.from} to={address.to} />
      </div>
      <Tabs.Panel value="segments" className={classes.content}>
        <SegmentList segments={active.segments} clock={clock} onChoose={props.onChoose} />
      </Tabs.Panel>
      {events.allowed && (
        <Tabs.Panel value="events" className={classes.content}>
          <EventList events={events} clock={clock} onChoose={props.onChooseEvent} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="point" className={classes.content}>
        {/* Their texts are loaded with them, and the screen stays meanwhile. */}
        <Part height={240}>
          <PointFacts deviceId={active.id} track={active.track} clock={clock} />
          <DoubtList track={active.track} clock={clock} />
        </Part>
      </Tabs.Panel>
    </Tabs>
  );
}

/** Which days, both of them whole, and those that most ask for. */
function Days({ address, onReload }: Pick<PlaybackPanelProps, 'address' | 'onReload'>) {
  const { t } = useTranslation(['playback', 'lists']);
  const formats = useFormats();
  const today = dayOf(useNow(), useSelector(selectTimeZone));
  const { firstDay, lastDay, set } = address;
  const days = (count: number) => t('lists:period.days', { count, formatted: formats.number(count) });
  const presets = [
    [t('lists:period.today'), today, today],
    [t('yesterday'), addDays(today, -1), addDays(today, -1)],
    [days(7), addDays(today, -6), today],
    [days(30), addDays(today, -29), today],
  ] as const;
  const day = (name: 'firstDay' | 'lastDay', value: string) => ({
    label: t(`lists:period.${name === 'firstDay' ? 'from' : 'to'}`),
    value,
    onChange: (typed: string) => {
      if (isWholeDay(typed)) set(name === 'firstDay' ? { firstDay: typed, lastDay } : { firstDay, lastDay: typed });
    },
  });
  return (
    <>
      <div className={classes.days}>
        <DayInput {...day('firstDay', firstDay)} max={lastDay} />
        <DayInput {...day('lastDay', lastDay)} min={firstDay} />
        <ActionIcon variant="default" size={36} onClick={onReload} aria-label={t('reload')} title={t('reload')}>
          <IconRefresh size={16} aria-hidden="true" />
        </ActionIcon>
      </div>
      <div className={classes.presets} role="group" aria-label={t('lists:period.title')}>
        {presets.map(([label, first, last]) => {
          const pressed = first === firstDay && last === lastDay;
          return (
            <Button
              key={label}
              size="compact-sm"
              variant={pressed ? 'light' : 'subtle'}
              aria-pressed={pressed}
              onClick={() => set({ firstDay: first, lastDay: last })}
            >
              {label}
            </Button>
          );
        })}
      </div>
    </>
  );
}
