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
export type ChartScale = (typeof SCALES)[ChartLine];
const AXIS_WIDTH = 72;
const AXIS_HEIGHT = 28;
/** Between the lines and the hours below them, pixels. */
const AXIS_GAP = 5;
const FONT = "12px 'Inter Variable', system-ui, sans-serif";

/** What a track tells anything of. */
export const linesIn = (track: Track): ChartLine[] =>
  LINES.filter((line) => track[line].some((value) => !Number.isNaN(value)));

/** A track as the chart takes it: seconds, and for each line a value or null. */
export function dataOf(track: Track, lines: readonly ChartLine[]): uPlot.AlignedData {
  const times = Array.from(track.time, (time) => time / 1_000);
  return [times, ...lines.map((line) => Array.from(track[line], (value) => (Number.isNaN(value) ? null : value)))];
}

interface ChartLook {
  scheme: Scheme;
  /** By whose days and hours time is divided. */
  timeZone: string;
  /** A time of day, from seconds since 1970. */
  time: (seconds: number) => string;
  number: (value: number) => string;
  /** What stands behind the numbers of each scale. */
  units: Record<ChartScale, string>;
  /** Whose ignition is shown behind the lines. */
  ignition: Track;
  /** Room between the lines and the hours, pixels, for what is marked there. */
  strip: number;
}

/** How the chart looks, but for its size. */
export function chartOptions(lines: readonly ChartLine[], look: ChartLook): Omit<uPlot.Options, 'width' | 'height'> {
  const colors = colorVariables(look.scheme);
  const text = colors['--armada-text-dimmed'] ?? '';
  const grid = { stroke: colors['--armada-border'] ?? '', width: 1 };
  const scales = [...new Set(lines.map((line) => SCALES[line]))];
  const axis = (scale: ChartScale, place: number): uPlot.Axis => {
    return {
      scale,
      side: place === 0 ? 3 : 1,
      size: AXIS_WIDTH,
      stroke: text,
      font: FONT,
      grid: place === 0 ? grid : { show: false },
      ticks: { show: false },
      values: (_chart, values) =>
        values.map(
          (value, index) => `${look.number(value)}${index === values.length - 1 ? ` ${look.units[scale]}` : ''}`,
        ),
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
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), look.timeZone),
    cursor: { y: false, drag: { x: true, y: false }, points: { show: false } },
    scales: Object.fromEntries([['x', { time: true }], ...scales.map((scale) => [scale, scaleOf(scale)] as const)]),
    axes: [x, ...scales.map(axis)],
    series: [{}, ...lines.map((line) => seriesOf(line, look.scheme))],
    hooks: { drawClear: [(chart) => drawIgnition(chart, look.ignition, colors['--armada-surface-selected'] ?? '')] },
  };
}

/** Everything begins at nothing; percent end at a hundred. */
const scaleOf = (scale: string): uPlot.Scale => ({
  range: (_chart, _min, max) => (scale === 'percent' ? [0, 100] : [0, Math.max(10, max * 1.1)]),
});

const seriesOf = (line: ChartLine, scheme: Scheme): uPlot.Series => ({
  scale: SCALES[line],
  stroke: SERIES_COLORS[scheme][LINES.indexOf(line)],
  width: 1.5,
  points: { show: false },
  // A tracker does not tell everything with each fix.
  spanGaps: line !== 'speed',
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
