import { useComputedColorScheme } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { TrackSegment } from '@/api/generated';
import { NoAccess } from '@/components/NoAccess';
import { useAlarmName } from '@/i18n/useAlarmName';
import { languageOf } from '@/i18n/languages';
import { useFormats } from '@/i18n/useFormats';
import { useTitle } from '@/lib/useTitle';
import { PlaybackMap, type PlaybackMapControls } from '@/map/PlaybackMap';
import { useBaseChoice } from '@/map/useBaseChoice';
import { useNames } from '@/resource/names';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { areaOfEvent, type MarkedEvent } from './events';
import { Legend } from './Legend';
import { lineOf, seriesColor } from './lines';
import classes from './Playback.module.css';
import { PlaybackControls } from './PlaybackControls';
import { PlaybackPanel } from './PlaybackPanel';
import { areaOf, marksOf, quietSpans, secondsOf } from './segments';
import { inAll, type PlaybackClock } from './track/clock';
import { placeAt, type Track } from './track/track';
import { TrackChart } from './TrackChart';
import { TrackStatus } from './TrackStatus';
import { useAddressTime } from './useAddressTime';
import { useClock } from './useClock';
import { usePlaybackAddress } from './usePlaybackAddress';
import { usePlaybackEvents } from './usePlaybackEvents';
import { useSpeedLimit } from './useSpeedLimit';
import { useTracks } from './useTracks';

/** A track that is here. */
interface PlayedTrack {
  id: string;
  track: Track;
  segments: TrackSegment[];
}

/** A vehicle whose track is here. */
export interface Played extends PlayedTrack {
  name: string;
  color: string;
}

/** Where vehicles were: their tracks, trips and stops, played by a true clock. */
export function PlaybackPage() {
  const { t } = useTranslation('playback');
  useTitle(t('title'));
  if (!can('position:history', useSelector(selectPerson))) return <NoAccess text={t('noAccess')} />;
  return <Playback />;
}

function Playback() {
  const { t, i18n } = useTranslation(['playback', 'maps']);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const address = usePlaybackAddress();
  const { deviceIds, colouring, from, to } = address;
  const names = useNames('devices', deviceIds);
  const { tracks, bytes, reload } = useTracks(deviceIds, from, to);
  // Without names and colours: what is drawn is not drawn anew because of these.
  const loaded = useMemo(() => loadedOf(tracks), [tracks]);
  const played = useMemo(
    () =>
      loaded.map((track): Played => ({
        ...track,
        name: names[track.id] ?? '…',
        color: seriesColor(deviceIds.indexOf(track.id), scheme),
      })),
    [loaded, names, deviceIds, scheme],
  );
  const { source: tiles } = useBaseChoice();
  const [chosen, setChosen] = useState<string | null>(null);
  // The line on the map comes first: lists, marks and chart of a month take longer.
  const shown = useDeferredValue(played);
  const active = shown.find(({ id }) => id === chosen) ?? shown[0];
  const several = deviceIds.length > 1;
  const events = usePlaybackEvents(address, active?.id, scheme);

  const span = useMemo(() => spanOf(loaded) ?? { from, to }, [loaded, from, to]);
  const clock = useClock(span.from, span.to);
  useAddressTime(clock, address, played.length > 0);
  const [rate, setRate] = useLocalStorage({ key: 'playback_rate', defaultValue: 60, getInitialValueInEffect: false });
  const [skipStops, setSkipStops] = useLocalStorage({
    key: 'playback_skip_stops',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  useEffect(() => {
    clock.setRate(rate);
    clock.skip(skipStops ? inAll(loaded.map(({ segments }) => quietSpans(segments))) : []);
  }, [clock, rate, skipStops, loaded]);

  const controls = useRef<PlaybackMapControls | null>(null);
  usePlaces(clock, played, controls);
  const limit = useSpeedLimit(several ? undefined : deviceIds[0]);
  const lines = useMemo(
    () =>
      loaded.map(({ id, track, segments }) =>
        lineOf(track, segments, several ? { vehicle: deviceIds.indexOf(id) } : colouring, { scheme, limit }),
      ),
    [loaded, several, deviceIds, colouring, scheme, limit],
  );
  const marks = useMarks(active);
  const area = useMemo(() => areaOf(loaded.map(({ track }) => track)), [loaded]);
  const seek = useCallback((instant: number) => clock.seek(instant), [clock]);
  const choices = useChoices(clock, active, controls);
  const reloadAll = () => {
    reload();
    events.reload();
  };
  return (
    <div className={classes.screen} data-empty={!active || undefined}>
      <h1 className="visually-hidden">{t('title')}</h1>
      <PlaybackPanel
        address={address}
        played={shown}
        active={active}
        onActive={setChosen}
        clock={clock}
        onChoose={choices.segment}
        events={events}
        onChooseEvent={choices.event}
        onReload={reloadAll}
      />
      <div className={classes.map}>
        <PlaybackMap
          label={t('map')}
          scheme={scheme}
          tiles={tiles}
          language={languageOf(i18n.language)}
          schematicAttribution={t('maps:map.schematic')}
          zoomInLabel={t('maps:tools.zoomIn')}
          zoomOutLabel={t('maps:tools.zoomOut')}
          tracks={lines}
          marks={marks}
          events={events.places}
          area={area}
          controlsRef={controls}
          onSeek={seek}
        />
        <TrackStatus tracks={tracks} bytes={bytes} names={names} onRetry={reload} />
        {played.length > 0 && (
          <Legend colouring={several ? null : colouring} played={played} scheme={scheme} limit={limit} />
        )}
      </div>
      {active && (
        <section className={classes.dock} aria-label={t('controls.label')}>
          <PlaybackControls
            clock={clock}
            from={span.from}
            to={span.to}
            rate={rate}
            onRate={setRate}
            skipStops={skipStops}
            onSkipStops={setSkipStops}
            steps={active.segments.map((segment) => Date.parse(segment.from))}
          />
          <TrackChart
            active={active}
            played={shown}
            clock={clock}
            span={span}
            scheme={scheme}
            events={events.ofActive}
          />
        </section>
      )}
    </div>
  );
}

/** Those that are here, and have anything in them. */
function loadedOf(tracks: ReturnType<typeof useTracks>['tracks']): PlayedTrack[] {
  return tracks.flatMap(([id, found]) => {
    if (found.status !== 'ready' || found.track.time.length === 0) return [];
    return [{ id, track: found.track, segments: found.segments }];
  });
}

/** From the first fix of all to the last. */
function spanOf(played: readonly PlayedTrack[]): { from: number; to: number } | null {
  if (played.length === 0) return null;
  const ends = played.map(({ track: { time } }) => [time[0] ?? 0, time[time.length - 1] ?? 0] as const);
  return { from: Math.min(...ends.map(([first]) => first)), to: Math.max(...ends.map(([, last]) => last)) };
}

/** Moves the vehicles with each frame. */
function usePlaces(
  clock: PlaybackClock,
  played: readonly Played[],
  controls: React.RefObject<PlaybackMapControls | null>,
): void {
  useEffect(() => {
    const place = () => {
      const vehicles = played.flatMap(({ id, name, track, color }) => {
        const at = placeAt(track, clock.now);
        return at ? [{ id, name, color, ...at }] : [];
      });
      controls.current?.place(vehicles, clock.playing);
    };
    place();
    return clock.subscribe(place);
  }, [clock, played, controls]);
}

/** What is chosen in a list is gone to in time, and shown on the map. */
function useChoices(
  clock: PlaybackClock,
  active: Played | undefined,
  controls: React.RefObject<PlaybackMapControls | null>,
) {
  const segment = useCallback(
    (chosen: TrackSegment) => {
      const within = { from: Date.parse(chosen.from), to: Date.parse(chosen.to) };
      clock.seek(within.from);
      const wanted = active && areaOf([active.track], within);
      if (wanted) controls.current?.fit(wanted);
    },
    [clock, active, controls],
  );
  const event = useCallback(
    (chosen: MarkedEvent) => {
      clock.seek(chosen.at);
      const wanted = active && areaOfEvent(chosen, active.track);
      if (wanted) controls.current?.fit(wanted);
    },
    [clock, active, controls],
  );
  return { segment, event };
}

function useMarks(active: Played | undefined) {
  const { t } = useTranslation(['playback', 'devicePage']);
  const formats = useFormats();
  const alarmName = useAlarmName();
  return useMemo(() => {
    if (!active) return [];
    const at = (instant: number | string) => formats.dateTime(instant);
    return marksOf(active.id, active.track, active.segments, {
      stop: (segment) => t('mark.stop', { time: at(segment.from), length: formats.duration(secondsOf(segment)) }),
      alarm: (alarm, instant) => t('mark.alarm', { alarm: alarmName(alarm), time: at(instant) }),
      begin: (instant) => t('mark.begin', { time: at(instant) }),
      end: (instant) => t('mark.end', { time: at(instant) }),
      doubt: (doubt) => t('mark.doubt', { mark: t(`devicePage:mark.${doubt.mark}`), time: at(doubt.at) }),
    });
  }, [active, formats, alarmName, t]);
}
