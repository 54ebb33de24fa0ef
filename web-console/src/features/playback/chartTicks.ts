import uPlot from 'uplot';
import type { MarkedEvent } from './events';
import classes from './Events.module.css';

/** Room below the lines in which events are marked, pixels. */
export const TICK_STRIP = 12;
const TICK_WIDTH = 2;
const TICK_HEIGHT = 8;
const TICK_TOP = 3;
/** Who is within so many pixels of a tick means it. */
const REACH = 5;

/** Marks events below the lines of a chart, those on top that ask most. */
export function drawTicks(chart: uPlot, events: readonly MarkedEvent[]): void {
  const { ctx, bbox } = chart;
  const ratio = uPlot.pxRatio;
  const top = bbox.top + bbox.height + TICK_TOP * ratio;
  ctx.save();
  for (const { at, color } of events.toSorted((one, other) => one.rank - other.rank)) {
    const x = chart.valToPos(at / 1_000, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.fillStyle = color;
    ctx.fillRect(Math.round(x - (TICK_WIDTH * ratio) / 2), top, TICK_WIDTH * ratio, TICK_HEIGHT * ratio);
  }
  ctx.restore();
}

/** The event whose tick is meant by a place: of those in reach one that asks most, of these the nearest. */
export function tickAt(
  events: readonly MarkedEvent[],
  x: number,
  placeOf: (instant: number) => number,
): MarkedEvent | null {
  let found: MarkedEvent | null = null;
  let nearest = REACH;
  for (const event of events) {
    const away = Math.abs(placeOf(event.at) - x);
    if (away > REACH) continue;
    const rank = found?.rank ?? -1;
    if (event.rank < rank || (event.rank === rank && away >= nearest)) continue;
    found = event;
    nearest = away;
  }
  return found;
}

/** Says what the tick below the mouse stands for, and goes to its time on a click; it ends with the chart. */
export function followTicks(
  chart: uPlot,
  events: () => readonly MarkedEvent[],
  onSeek: (instant: number) => void,
): void {
  const { root, over } = chart;
  const placeOf = (instant: number) => chart.valToPos(instant / 1_000, 'x');
  const hint = over.appendChild(document.createElement('div'));
  hint.className = classes.hint ?? '';
  hint.hidden = true;
  const meant = ({ clientX, clientY }: MouseEvent): MarkedEvent | null => {
    const { left, width, bottom } = over.getBoundingClientRect();
    const x = clientX - left;
    const outside = clientY < bottom || clientY > bottom + TICK_STRIP || x < -REACH || x > width + REACH;
    return outside ? null : tickAt(events(), x, placeOf);
  };
  const show = (event: MarkedEvent | null) => {
    hint.hidden = event === null;
    root.style.cursor = event ? 'pointer' : '';
    if (!event) return;
    const x = placeOf(event.at);
    hint.textContent = event.title();
    hint.style.left = `${x}px`;
    // It stays within the chart.
    hint.toggleAttribute('data-end', x > over.clientWidth / 2);
  };
  root.addEventListener('mousemove', (move) => show(meant(move)));
  root.addEventListener('mouseleave', () => show(null));
  root.addEventListener('click', (click) => {
    const event = meant(click);
    if (event) onSeek(event.at);
  });
}
