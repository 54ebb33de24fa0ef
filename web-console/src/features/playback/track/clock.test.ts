import { describe, expect, it, vi } from 'vitest';
import { inAll, PlaybackClock } from './clock';

describe('PlaybackClock', () => {
  it('is a true clock, so many times as fast', () => {
    const clock = new PlaybackClock({ from: 0, to: 100_000 });
    clock.setRate(30);
    clock.advance(100);
    expect(clock.now).toBe(3_000);
    // A page that was hidden does not leap ahead.
    clock.advance(60_000);
    expect(clock.now).toBe(10_500);
    for (let frame = 0; frame < 20; frame++) clock.advance(250);
    expect(clock.now).toBe(100_000);
  });

  it('passes over what is skipped', () => {
    const clock = new PlaybackClock({ from: 0, to: 100_000 });
    clock.skip([{ from: 50, to: 60_000 }]);
    clock.advance(40);
    expect(clock.now).toBe(40);
    clock.advance(40);
    expect(clock.now).toBe(60_000);
  });

  it('tells of what changes, and keeps within its span', () => {
    const clock = new PlaybackClock({ from: 10, to: 20 });
    const listener = vi.fn();
    const end = clock.subscribe(listener);
    clock.seek(99);
    expect(clock.now).toBe(20);
    clock.seek(99);
    expect(listener).toHaveBeenCalledTimes(1);
    clock.setSpan({ from: 100, to: 200 });
    expect(clock.now).toBe(100);
    expect(listener).toHaveBeenCalledTimes(2);
    end();
    clock.seek(150);
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('begins anew when it is played at its end', () => {
    const clock = new PlaybackClock({ from: 0, to: 100 });
    clock.seek(100);
    clock.play();
    expect([clock.now, clock.playing]).toEqual([0, true]);
    clock.pause();
    expect(clock.playing).toBe(false);
    const empty = new PlaybackClock({ from: 5, to: 5 });
    empty.play();
    expect(empty.playing).toBe(false);
  });
});

describe('inAll', () => {
  it('is where all are quiet', () => {
    const one = [
      { from: 0, to: 10 },
      { from: 20, to: 40 },
    ];
    const two = [
      { from: 5, to: 25 },
      { from: 30, to: 35 },
    ];
    expect(inAll([one])).toEqual(one);
    expect(inAll([one, two])).toEqual([
      { from: 5, to: 10 },
      { from: 20, to: 25 },
      { from: 30, to: 35 },
    ]);
    expect(inAll([one, []])).toEqual([]);
    expect(inAll([])).toEqual([]);
  });
});
