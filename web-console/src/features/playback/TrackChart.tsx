import 'uplot/dist/uPlot.min.css';
import { Chip } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import uPlot from 'uplot';
import { browserZone, startOfDay } from '@/i18n/timeZone';
import { useFormats } from '@/i18n/useFormats';
import { selectTimeZone } from '@/session/sessionSlice';
import type { Scheme } from '@/theme/tokens';
import type { PlaybackClock } from './track/clock';
import type { Track } from './track/track';
import { chartOptions, dataOf, linesIn, type ChartLine } from './chart';
import { drawFuelMarks } from './chartFuel';
import { drawTicks, followTicks, TICK_STRIP } from './chartTicks';
import type { MarkedEvent } from './events';
import classes from './Playback.module.css';

interface TrackChartProps {
  track: Track;
  clock: PlaybackClock;
  scheme: Scheme;
  /** Marked below the lines; fills and drains on the line of litres as well. */
  events: readonly MarkedEvent[];
}

/** What the vehicle told over time: a click goes there, dragging looks closer, two clicks show all again. */
export function TrackChart({ track, clock, scheme, events }: TrackChartProps) {
  const { t } = useTranslation('playback');
  const formats = useFormats();
  const timeZone = useSelector(selectTimeZone) ?? browserZone();
  const units = useMemo(() => ({ speed: t('unit.speed'), litres: t('unit.litres'), percent: '%' }), [t]);
  const frame = useRef<HTMLDivElement>(null);
  const present = useMemo(() => linesIn(track), [track]);
  const [hidden, setHidden] = useState<ChartLine[]>([]);
  const lines = useMemo(() => present.filter((line) => !hidden.includes(line)), [present, hidden]);

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
    const look = { scheme, timeZone, time, number: formats.number, units, ignition: track, strip };
    const options = chartOptions(lines, look);
    const chart = new uPlot({ ...options, ...sizeOf(element) }, dataOf(track, lines), element);
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
  }, [track, lines, clock, scheme, formats, timeZone, units, strip]);

  const toggle = (line: ChartLine) =>
    setHidden(hidden.includes(line) ? hidden.filter((other) => other !== line) : [...hidden, line]);
  return (
    <div className={classes.chart}>
      <div className={classes.chartLines}>
        {present.map((line) => (
          <Chip key={line} size="xs" checked={!hidden.includes(line)} onChange={() => toggle(line)}>
            {t(`chart.${line}`)}
          </Chip>
        ))}
      </div>
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

const sizeOf = (element: HTMLElement) => ({ width: element.clientWidth, height: element.clientHeight });
