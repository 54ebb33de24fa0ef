import 'uplot/dist/uPlot.min.css';
import { Chip } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import uPlot from 'uplot';
import { browserZone, startOfDay } from '@/i18n/timeZone';
import { useFormats } from '@/i18n/useFormats';
import { selectTimeZone } from '@/session/sessionSlice';
import { useIsPhone } from '@/theme/breakpoints';
import type { Scheme } from '@/theme/tokens';
import { Timeline } from './Timeline';
import type { PlaybackClock, Span } from './track/clock';
import {
  chartOptions,
  colorOf,
  dataOf,
  linesDrawn,
  linesIn,
  plotOf,
  seriesOf,
  speedsOf,
  type ChartSeries,
  type Plot,
} from './chart';
import { drawFuelMarks } from './chartFuel';
import { drawTicks, followTicks, TICK_STRIP } from './chartTicks';
import type { MarkedEvent } from './events';
import classes from './Playback.module.css';
import type { Played } from './PlaybackPage';
import type { Track } from './track/track';

interface TrackChartProps {
  /** Whose fuel, ignition and battery are shown, while it is alone. */
  active: Played;
  /** Of several the speeds are shown beside each other. */
  played: readonly Played[];
  clock: PlaybackClock;
  /** From the first fix of all to the last. */
  span: Span;
  scheme: Scheme;
  /** Marked below the lines; fills and drains on the line of litres as well. */
  events: readonly MarkedEvent[];
}

/** What the vehicles told over time: a click goes there, dragging looks closer, two clicks show all again. */
export function TrackChart({ active, played, clock, span, scheme, events }: TrackChartProps) {
  const { t } = useTranslation('playback');
  const formats = useFormats();
  const timeZone = useSelector(selectTimeZone) ?? browserZone();
  const narrow = useIsPhone();
  const frame = useRef<HTMLDivElement>(null);
  const [plot, setPlot] = useState<Plot | null>(null);
  const { choices, data, series, ignition } = useChartLines({ active, played, scheme, narrow });

  // The chart stays as it is when other events are marked; it is another one where there is room for them or none.
  const strip = events.length > 0 ? TICK_STRIP : 0;
  const ticks = useRef(events);
  const drawn = useRef<uPlot | null>(null);
  useEffect(() => {
    ticks.current = events;
    drawn.current?.redraw(false);
  }, [events]);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const time = (seconds: number) => {
      const at = seconds * 1_000;
      return startOfDay(at, timeZone).getTime() === at ? formats.date(at) : formats.hour(at);
    };
    const look = { scheme, timeZone, time, number: (value: number) => formats.number(value), narrow, ignition, strip };
    const options = chartOptions(series, look);
    const chart = new uPlot({ ...options, ...sizeOf(element) }, data, element);
    const cursor = chart.over.appendChild(document.createElement('div'));
    cursor.className = classes.cursor ?? '';
    const place = () => {
      const x = chart.valToPos(clock.now / 1_000, 'x');
      cursor.style.transform = `translateX(${x}px)`;
      cursor.hidden = x < 0 || x > chart.over.clientWidth;
    };
    const unsubscribe = clock.subscribe(place);
    chart.hooks.draw = [
      () => drawTicks(chart, ticks.current),
      () => drawFuelMarks(chart, ticks.current, uPlot.pxRatio),
      () => setPlot((before) => plotOf(chart, before)),
    ];
    chart.hooks.setScale = [place];
    chart.hooks.setSize = [place];
    place();
    // The chart keeps the click to itself that ends a drag.
    const seek = (event: MouseEvent) => {
      clock.seek(chart.posToVal(event.clientX - chart.over.getBoundingClientRect().left, 'x') * 1_000);
    };
    chart.over.addEventListener('click', seek);
    followTicks(
      chart,
      () => ticks.current,
      (instant) => clock.seek(instant),
    );
    drawn.current = chart;
    const observer = new ResizeObserver(() => chart.setSize(sizeOf(element)));
    observer.observe(element);
    return () => {
      observer.disconnect();
      unsubscribe();
      drawn.current = null;
      chart.destroy();
    };
  }, [data, series, ignition, clock, scheme, formats, timeZone, narrow, strip]);

  return (
    <div className={classes.chart}>
      <LineChips choices={choices} />
      {plot && <Timeline clock={clock} plot={plot} span={span} segments={active.segments} />}
      <div
        ref={frame}
        className={classes.chartFrame}
        role="img"
        aria-label={t('chart.label')}
        data-testid="track-chart"
      />
    </div>
  );
}

/** Names the lines in their colours, and draws or hides each; of those that have one axis between them one is drawn. */
function LineChips({ choices }: { choices: readonly LineChoice[] }) {
  return (
    <div className={classes.chartLines}>
      {choices.map(({ key, label, color, isDrawn, alone, onPress }) => (
        <Chip
          key={key}
          size="xs"
          type={alone ? 'radio' : 'checkbox'}
          variant="filled"
          color={color}
          checked={isDrawn}
          onChange={onPress}
          classNames={chipClasses}
          style={{ '--line': color }}
        >
          {label}
        </Chip>
      ))}
    </div>
  );
}

const chipClasses = { label: classes.chip };

/** A line that can be hidden. */
interface LineChoice {
  key: string;
  label: string;
  /** That of the line. */
  color: string;
  isDrawn: boolean;
  /** It takes the place of the others. */
  alone: boolean;
  onPress: () => void;
}

interface ChartLines {
  choices: LineChoice[];
  /** These are the same until there are other lines: another chart is no longer where somebody looked closer. */
  data: uPlot.AlignedData;
  series: readonly ChartSeries[];
  ignition: Track | null;
}

/** Of one vehicle all that it told, of several how fast each was. */
function useChartLines(of: Pick<TrackChartProps, 'active' | 'played' | 'scheme'> & { narrow: boolean }): ChartLines {
  const { active, played, scheme, narrow } = of;
  const { t } = useTranslation('playback');
  const [hidden, setHidden] = useState<string[]>(['battery']);
  const [only, setOnly] = useState('speed');
  const isAlone = played.length <= 1;
  const alone = isAlone ? active.track : null;
  const oneAxis = isAlone && narrow;
  const present = useMemo(() => (alone ? linesIn(alone) : []), [alone]);
  const shown = isAlone ? [] : played.filter(({ id }) => !hidden.includes(id));
  const tracks = useStableArray(shown.map((each) => each.track));
  const colors = useStableArray(shown.map(({ color }) => color));
  const lines = useStableArray(linesDrawn(present, hidden, oneAxis ? only : null));
  const data = useMemo(() => (alone ? dataOf(alone, lines) : speedsOf(tracks)), [alone, tracks, lines]);
  const series = useMemo(
    () =>
      isAlone
        ? lines.map((line) => seriesOf(line, scheme))
        : colors.map((color): ChartSeries => ({ scale: 'speed', color, spanGaps: false })),
    [isAlone, colors, lines, scheme],
  );
  const toggle = (key: string) =>
    setHidden(hidden.includes(key) ? hidden.filter((other) => other !== key) : [...hidden, key]);
  const named = isAlone
    ? present.map((line) => ({
        key: line,
        label: t(`chart.${line}`),
        color: colorOf(line, scheme),
        isDrawn: lines.includes(line),
      }))
    : played.map(({ id, name, color }) => ({ key: id, label: name, color, isDrawn: !hidden.includes(id) }));
  const choices = named.map((choice) => ({
    ...choice,
    alone: oneAxis,
    onPress: () => (oneAxis ? setOnly(choice.key) : toggle(choice.key)),
  }));
  return { choices, data, series, ignition: alone };
}

/** The values as they came first, for as long as others are the same one by one. */
function useStableArray<T>(values: readonly T[]): readonly T[] {
  const [kept, setKept] = useState(values);
  const isSame = values.length === kept.length && values.every((value, place) => value === kept[place]);
  if (!isSame) setKept(values);
  return isSame ? kept : values;
}

const sizeOf = (element: HTMLElement) => ({ width: element.clientWidth, height: element.clientHeight });
