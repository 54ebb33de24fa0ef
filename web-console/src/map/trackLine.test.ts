import { describe, expect, it } from 'vitest';
import { NO_LINE, traceLine, type LineView, type Pen } from './trackLine';

/** A canvas of 100 pixels at the corner of the world. */
const VIEW: LineView = { origin: { x: 0, y: 0 }, size: { x: 100, y: 100 }, scale: 1_000 };

/** What the pens of two colours draw of points at these pixels of a row, each with the colour in which the line goes on. */
function drawn(...points: [x: number, colour: number][]): string[] {
  const strokes = ['', ''];
  const pens = strokes.map((_, place): Pen => {
    const note = (sign: string) => (x: number) => {
      strokes[place] = `${strokes[place] ?? ''}${sign}${Math.round(x * 10) / 10}`;
    };
    return { moveTo: note(' '), lineTo: note('>') };
  });
  const x = Float64Array.from(points, ([at]) => at / VIEW.scale);
  const line = { x, y: new Float64Array(x.length).fill(0.05), colour: Uint8Array.from(points, ([, colour]) => colour) };
  const pieces = traceLine({ ...line, palette: ['', ''] }, pens, VIEW);
  expect(strokes.join('').split('>')).toHaveLength(pieces + 1);
  return strokes.map((stroke) => stroke.trim());
}

describe('traceLine', () => {
  it('draws points within a pixel as one, and the last one of all', () => {
    expect(drawn([10, 0], [11, 0], [12, 0], [13, 0], [14, 0], [14.5, NO_LINE])).toEqual(['10>12>14>14.5', '']);
  });

  it('goes on in the colour that was the last one of a place', () => {
    expect(drawn([10, 0], [20, 1], [30, 0], [40, NO_LINE])).toEqual(['10>20 30>40', '20>30']);
    expect(drawn([10, 0], [20, 0], [20.5, 1], [30, NO_LINE])).toEqual(['10>20', '20>30']);
    expect(drawn([10, 0], [20, 1], [20.5, 0], [30, NO_LINE])).toEqual(['10>20>30', '20>20.5']);
  });

  it('shows each colour once at a place, however often it changes there', () => {
    const restless = Array.from({ length: 1_000 }, (_, index): [number, number] => [20 + (index % 3) / 10, index % 2]);
    const strokes = drawn([10, 0], ...restless, [30, NO_LINE]);
    expect(strokes).toEqual(['10>20', '20>20.2 20>30']);
  });

  it('draws no line where there is none, nor what lies beyond an edge', () => {
    expect(drawn([10, 0], [20, NO_LINE], [40, 0], [50, NO_LINE])).toEqual(['10>20 40>50', '']);
    expect(drawn([10, 0], [20, 0], [20.5, NO_LINE], [20.6, 1], [30, NO_LINE])).toEqual(['10>20', '20>30']);
    expect(drawn([-90, 0], [-50, 0], [90, 0], [150, 0], [190, NO_LINE])).toEqual(['-50>90>150', '']);
  });
});
