import uPlot from 'uplot';
import { colorVariables, SERIES_COLORS, type Scheme } from '@/theme/tokens';
import type { Track } from './track/track';

/** What can be drawn over time, in the order of the colours. */
const LINES = ['speed', 'fuelLitres', 'fuelPercent', 'battery'] as const;
/** One of them: a column of a track. */
export type ChartLine = (typeof LINES)[number];

/** On which scale a line stands; percent stand together. */
const SCALES = {
  speed: 'speed',
  fuelLitres: 'litres',
  fuelPercent: 'percent',
  battery: 'percent',
} as const satisfies Record<ChartLine, string>;
/** A scale of the chart. */
type ChartScale = (typeof SCALES)[ChartLine];
const AXIS_WIDTH = 44;
const AXIS_HEIGHT = 28;
/** Between the lines and the hours below them, pixels. */
const AXIS_GAP = 5;
const FONT = "12px 'Inter Variable', system-ui, sans-serif";

/** What a chart shows of time, milliseconds since 1970, and where it does, pixels from its left edge. */
export interface Plot {
  left: number;
  width: number;
  from: number;
  to: number;
}

/** What a chart shows just now; the same as before where nothing has moved. */
export function plotOf({ over, scales }: uPlot, before: Plot | null): Plot {
  const [from, to] = [(scales.x?.min ?? 0) * 1_000, (scales.x?.max ?? 0) * 1_000];
  const [left, width] = [over.offsetLeft, over.clientWidth];
  const isSame = before?.left === left && before.width === width && before.from === from && before.to === to;
  return isSame ? before : { left, width, from, to };
}

/** What a track tells anything of; of a tank in litres nothing is said in percent. */
export function linesIn(track: Track): ChartLine[] {
  const told = LINES.filter((line) => track[line].some((value) => !Number.isNaN(value)));
  return told.includes('fuelLitres') ? told.filter((line) => line !== 'fuelPercent') : told;
}

/** The lines that are drawn: those that were not hidden; where there is room for one axis alone, the one that was chosen. */
export function linesDrawn(present: readonly ChartLine[], hidden: readonly string[], only: string | null): ChartLine[] {
  if (only === null) return present.filter((line) => !hidden.includes(line));
  const chosen = present.find((line) => line === only) ?? present[0];
  return present.filter((line) => line === chosen);
}

/** The colour of a line, and of what names it. */
export const colorOf = (line: ChartLine, scheme: Scheme): string => SERIES_COLORS[scheme][LINES.indexOf(line)] ?? '';

/** A track as the chart takes it: seconds, and for each line a value or null. */
export function dataOf(track: Track, lines: readonly ChartLine[]): uPlot.AlignedData {
  const times = Array.from(track.time, (time) => time / 1_000);
  return [times, ...lines.map((line) => Array.from(track[line], (value) => (Number.isNaN(value) ? null : value)))];
}

/**
 * The speeds of several tracks over one time, as the chart takes them: undefined where only another track has a fix, which breaks
 * no line, and null where its own does not say how fast.
 */
export function speedsOf(tracks: readonly Track[]): uPlot.AlignedData {
  const times: number[] = [];
  const ways = tracks.map((track) => ({ track, next: 0, speeds: [] as (number | null | undefined)[] }));
  for (;;) {
    const time = ways.reduce((first, { track, next }) => Math.min(first, track.time[next] ?? Infinity), Infinity);
    if (time === Infinity) return [times, ...ways.map(({ speeds }) => speeds)];
    times.push(time / 1_000);
    for (const way of ways) {
      const isThere = way.track.time[way.next] === time;
      const speed = isThere ? (way.track.speed[way.next] ?? NaN) : undefined;
      way.speeds.push(Number.isNaN(speed) ? null : speed);
      if (isThere) way.next += 1;
    }
  }
}

/** A line of the chart. */
export interface ChartSeries {
  scale: ChartScale;
  color: string;
  /** Whether it goes on where nothing was told. */
  spanGaps: boolean;
  /** The room below it is tinted. */
  area?: boolean;
}

/** How a column of a track is drawn. */
export const seriesOf = (line: ChartLine, scheme: Scheme): ChartSeries => ({
  scale: SCALES[line],
  color: colorOf(line, scheme),
  // A tracker does not tell everything with each fix.
  spanGaps: line !== 'speed',
  area: line === 'speed',
});

interface ChartLook {
  scheme: Scheme;
  /** By whose days and hours time is divided. */
  timeZone: string;
  /** A time of day, from seconds since 1970. */
  time: (seconds: number) => string;
  number: (value: number) => string;
  /** There is room for one axis, that on the left. */
  narrow: boolean;
  /** Whose ignition is shown behind the lines; null for nobody's. */
  ignition: Track | null;
  /** Room between the lines and the hours, pixels, for what is marked there. */
  strip: number;
}

/** How the chart looks, but for its size. */
export function chartOptions(series: readonly ChartSeries[], look: ChartLook): Omit<uPlot.Options, 'width' | 'height'> {
  const colors = colorVariables(look.scheme);
  const text = colors['--armada-text-dimmed'] ?? '';
  const grid = { stroke: colors['--armada-border'] ?? '', width: 1 };
  const scales = [...new Set(series.map(({ scale }) => scale))];
  const { ignition } = look;
  const axis = (scale: ChartScale, place: number): uPlot.Axis => {
    return {
      scale,
      show: place === 0 || !look.narrow,
      side: place === 0 ? 3 : 1,
      size: AXIS_WIDTH,
      stroke: text,
      font: FONT,
      grid: place === 0 ? grid : { show: false },
      ticks: { show: false },
      values: (_chart, values) => values.map(look.number),
    };
  };
  const x: uPlot.Axis = {
    stroke: text,
    font: FONT,
    grid: { show: false },
    ticks: { show: false },
    space: 90,
    size: AXIS_HEIGHT + look.strip,
    gap: AXIS_GAP + look.strip,
    values: (_chart, values) => values.map(look.time),
  };
  return {
    legend: { show: false },
    // The lines begin right below the ribbon.
    padding: [4, null, null, null],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), look.timeZone),
    cursor: { y: false, drag: { x: true, y: false }, points: { show: false } },
    scales: Object.fromEntries([['x', { time: true }], ...scales.map((scale) => [scale, scaleOf(scale)] as const)]),
    axes: [x, ...scales.map(axis)],
    series: [{}, ...series.map(drawn)],
    hooks: ignition
      ? { drawClear: [(chart) => drawIgnition(chart, ignition, colors['--armada-surface-selected'] ?? '')] }
      : {},
  };
}

/** Everything begins at nothing; percent end at a hundred. */
const scaleOf = (scale: string): uPlot.Scale => ({
  range: (_chart, _min, max) => (scale === 'percent' ? [0, 100] : [0, Math.max(10, max * 1.1)]),
});

/** 12 percent, as the last digits of a colour. */
const AREA = '1f';

const drawn = ({ scale, color, spanGaps, area }: ChartSeries): uPlot.Series => ({
  scale,
  stroke: color,
  fill: area ? `${color}${AREA}` : undefined,
  width: 1.5,
  points: { show: false },
  spanGaps,
});

/** Where the ignition was on, the ground is another one. */
function drawIgnition(chart: uPlot, { time, ignition }: Track, color: string): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.fillStyle = color;
  const right = bbox.left + bbox.width;
  const at = (index: number) =>
    Math.max(bbox.left, Math.min(right, chart.valToPos((time[index] ?? 0) / 1_000, 'x', true)));
  let since = -1;
  for (let index = 0; index <= ignition.length; index++) {
    const on = index < ignition.length && ignition[index] === 1;
    if (on && since < 0) since = index;
    if (on || since < 0) continue;
    const [from, to] = [at(since), at(Math.min(index, ignition.length - 1))];
    if (to > from) ctx.fillRect(from, bbox.top, to - from, bbox.height);
    since = -1;
  }
  ctx.restore();
}
