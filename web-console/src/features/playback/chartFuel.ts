import type uPlot from 'uplot';
import { detailOf } from '@/i18n/useEventTexts';
import type { MarkedEvent } from './events';

/** Pixels from the middle of a mark to its ends. */
const SIZE = 6;
/** Between the line and the tip of its mark, pixels. */
const LABEL_GAP = 3;

/** A fill, which points up, or a drain, which points down. */
interface FuelMark {
  /** Milliseconds since 1970. */
  at: number;
  /** Litres that it came to. */
  litres: number;
  rises: boolean;
  color: string;
}

/** The fills and drains of these events of which is known what they came to. */
export const fuelMarks = (events: readonly MarkedEvent[]): FuelMark[] =>
  events.flatMap(({ event, at, color }) => {
    const rises = event.kind === 'fuel.fill';
    const litres = rises || event.kind === 'fuel.drain' ? detailOf(event, 'after') : undefined;
    return litres === undefined ? [] : [{ at, litres, rises, color }];
  });

/** Marks fills and drains on the line of litres, where it is drawn: ▲ below what was filled, ▼ above what is left. */
export function drawFuelMarks(chart: uPlot, events: readonly MarkedEvent[], ratio: number): void {
  if (!('litres' in chart.scales)) return;
  const { ctx, bbox } = chart;
  const [size, away] = [SIZE * ratio, LABEL_GAP * ratio];
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const { at, litres, rises, color } of fuelMarks(events)) {
    const [x, y] = [chart.valToPos(at / 1_000, 'x', true), chart.valToPos(litres, 'litres', true)];
    const tip = rises ? y + away : y - away;
    const foot = rises ? tip + 2 * size : tip - 2 * size;
    ctx.beginPath();
    ctx.moveTo(x, tip);
    ctx.lineTo(x - size, foot);
    ctx.lineTo(x + size, foot);
    ctx.closePath();
    ctx.fillStyle = color;
    ctx.fill();
  }
  ctx.restore();
}
