import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { longPress } from './longPress';

const pressed = vi.fn();
const clicked = vi.fn();
beforeEach(() => {
  vi.useFakeTimers();
  const press = longPress(pressed);
  render(
    <div {...press('row')}>
      <button onClick={clicked}>Truk</button>
    </div>,
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.clearAllMocks();
});

const row = () => screen.getByRole('button');
const calls = () => [pressed, clicked].map(({ mock }) => mock.calls.length);

describe('a long press', () => {
  it('is told while the finger lies there, and opens nothing when it is lifted', () => {
    fireEvent.pointerDown(row(), { button: 0 });
    vi.advanceTimersByTime(600);
    expect(pressed).toHaveBeenCalledWith('row');
    fireEvent.pointerUp(row());
    fireEvent.click(row());
    expect(calls()).toEqual([1, 0]);
    // The next one is a click again.
    fireEvent.pointerDown(row(), { button: 0 });
    fireEvent.pointerUp(row());
    fireEvent.click(row());
    expect(calls()).toEqual([1, 1]);
  });

  it('is none where the finger is lifted before, or scrolls', () => {
    fireEvent.pointerDown(row(), { button: 0 });
    vi.advanceTimersByTime(300);
    fireEvent.pointerUp(row());
    vi.advanceTimersByTime(600);
    fireEvent.pointerDown(row(), { button: 0, clientY: 100 });
    fireEvent.pointerMove(row(), { clientY: 130 });
    vi.advanceTimersByTime(600);
    fireEvent.pointerDown(row(), { button: 0 });
    fireEvent.pointerCancel(row());
    vi.advanceTimersByTime(600);
    expect(calls()).toEqual([0, 0]);
  });
});
