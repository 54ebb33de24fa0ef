import { describe, expect, it } from 'vitest';
import { dataOf, linesIn, speedsOf } from './chart';
import { newTrack } from './track/track';

/** Fixes at these seconds with these speeds. */
function track(...fixes: [second: number, speed: number][]) {
  const made = newTrack(fixes.length);
  for (const [place, [second, speed]] of fixes.entries()) {
    made.time[place] = second * 1_000;
    made.speed[place] = speed;
  }
  return made;
}

describe('the chart of a vehicle', () => {
  it('has the lines of which the tracker told anything', () => {
    const made = track([10, 5], [20, NaN]);
    made.battery[1] = 80;
    expect(linesIn(made)).toEqual(['speed', 'battery']);
    expect(dataOf(made, ['speed', 'battery'])).toEqual([
      [10, 20],
      [5, null],
      [null, 80],
    ]);
  });
});

describe('the chart of several', () => {
  it('has their speeds over one time, and no gap in one where only the other has a fix', () => {
    const one = track([10, 5], [30, NaN], [40, 7]);
    const other = track([20, 50], [30, 60]);
    expect(speedsOf([one, other])).toEqual([
      [10, 20, 30, 40],
      [5, undefined, null, 7],
      [undefined, 50, 60, undefined],
    ]);
    expect(speedsOf([])).toEqual([[]]);
  });
});
