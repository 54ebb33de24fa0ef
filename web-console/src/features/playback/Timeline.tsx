import { memo, useEffect, useMemo, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackSegment } from '@/api/generated';
import { useFormats } from '@/i18n/useFormats';
import type { Plot } from './chart';
import classes from './Playback.module.css';
import type { PlaybackClock, Span } from './track/clock';
import { useClockTime } from './useClock';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** How far each key goes. */
const STEPS: Record<string, number> = {
  ArrowLeft: -10 * SECOND,
  ArrowDown: -10 * SECOND,
  ArrowRight: 10 * SECOND,
  ArrowUp: 10 * SECOND,
  PageDown: -10 * MINUTE,
  PageUp: 10 * MINUTE,
  Home: -Infinity,
  End: Infinity,
};
/** Of the ribbon's width. */
const UNITS = 10_000;

interface TimelineProps {
  clock: PlaybackClock;
  /** What the chart below shows of time. */
  plot: Plot;
  /** From the first fix to the last. */
  span: Span;
  /** Trips and stops of the vehicle. */
  segments: readonly TrackSegment[];
}

/** Trips and stops over the chart, and the head of the playback: it is dragged, pressed anywhere, or moved by keys. */
export function Timeline({ clock, plot, span, segments }: TimelineProps) {
  const { t } = useTranslation('playback');
  const formats = useFormats();
  const now = useClockTime(clock);
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = () => {
      const part = (clock.now - plot.from) / (plot.to - plot.from);
      // Where somebody looks closer at another time it waits at the edge.
      const x = plot.width * Math.max(0, Math.min(1, part));
      if (head.current) head.current.style.transform = `translateX(${x}px)`;
    };
    place();
    return clock.subscribe(place);
  }, [clock, plot]);
  const seek = (event: PointerEvent) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    clock.seek(plot.from + (x / plot.width) * (plot.to - plot.from));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    clock.seek(clock.now + step * (event.shiftKey ? 6 : 1));
  };
  return (
    <div
      className={classes.rail}
      style={{ marginLeft: plot.left, width: plot.width }}
      role="slider"
      tabIndex={0}
      aria-label={t('controls.time')}
      aria-valuemin={span.from}
      aria-valuemax={span.to}
      aria-valuenow={now}
      aria-valuetext={formats.dateTime(now)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        seek(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seek(event);
      }}
    >
      <Ribbon plot={plot} segments={segments} />
      <div ref={head} className={classes.playhead} />
    </div>
  );
}

/** When the vehicle drove and when it stood; between them nothing is known. */
const Ribbon = memo(function Ribbon({ plot, segments }: Pick<TimelineProps, 'plot' | 'segments'>) {
  const { from: begin, to: end } = plot;
  const parts = useMemo(() => {
    const at = (time: string) => Math.max(0, Math.min(UNITS, (UNITS * (Date.parse(time) - begin)) / (end - begin)));
    return segments
      .filter(({ kind }) => kind !== 'no_data')
      .map(({ kind, from, to }) => ({ kind, x: at(from), width: at(to) - at(from) }))
      .filter(({ width }) => width > 0);
  }, [segments, begin, end]);
  return (
    <svg className={classes.ribbon} viewBox={`0 0 ${UNITS} 1`} preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ kind, x, width }) => (
        <rect key={x} x={x} width={width} height={1} data-kind={kind} />
      ))}
    </svg>
  );
});
