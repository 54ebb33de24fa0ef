import { describe, expect, it } from 'vitest';
import { doubtsOf } from './doubts';
import { newTrack, type DoubtedFix } from './track/track';

describe('doubtsOf', () => {
  it('puts together what follows each other for one reason', () => {
    const track = newTrack(8);
    for (let index = 0; index < 8; index++) track.time[index] = index * 10;
    const fix = (index: number, mark: DoubtedFix['mark']) => ({ index, mark, lat: index, lng: 100 });
    track.doubted = [
      fix(0, 'jump'),
      fix(1, 'stuck'),
      fix(2, 'stuck'),
      fix(3, 'stuck'),
      fix(6, 'stuck'),
      fix(7, 'jump'),
    ];
    expect(doubtsOf(track).map(({ mark, at, lat, count }) => [mark, at, lat, count])).toEqual([
      ['jump', 0, 0, 1],
      ['stuck', 10, 1, 3],
      ['stuck', 60, 6, 1],
      ['jump', 70, 7, 1],
    ]);
    expect(doubtsOf(newTrack(2))).toEqual([]);
  });
});
