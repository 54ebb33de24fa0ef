import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TOAST_MS, keepToastUntilDone } from './toastClock';

let hide: ReturnType<typeof vi.fn<() => void>>;
let toast: HTMLElement;
let button: HTMLElement;

/** The pointer is moved, or only finds something else below it. */
const point = (target: Element, movementX: number) =>
  fireEvent(
    target,
    Object.assign(new Event('pointermove', { bubbles: true }), { pointerType: 'mouse', movementX, movementY: 0 }),
  );

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = '<main></main><div id="toast-1"><button>Tutup</button></div>';
  toast = document.getElementById('toast-1') as HTMLElement;
  button = toast.querySelector('button') as HTMLElement;
  point(document.querySelector('main') as HTMLElement, 1);
  hide = vi.fn();
  keepToastUntilDone('toast-1', hide);
});
afterEach(() => vi.useRealTimers());

describe('a toast', () => {
  it('goes after eight seconds and not before', () => {
    vi.advanceTimersByTime(TOAST_MS - 1);
    expect(hide).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect([TOAST_MS, hide.mock.calls.length]).toEqual([8_000, 1]);
  });

  it('goes although it has come to lie under a pointer that rests', () => {
    point(toast, 0);
    vi.advanceTimersByTime(TOAST_MS);
    expect(hide).toHaveBeenCalledOnce();
  });

  it('stays while the pointer is moved onto it, and goes after that', () => {
    point(button, 3);
    vi.advanceTimersByTime(60_000);
    expect(hide).not.toHaveBeenCalled();
    point(document.querySelector('main') as HTMLElement, 3);
    vi.advanceTimersByTime(1_000);
    expect(hide).toHaveBeenCalledOnce();
  });

  it('stays while the keyboard is in it', () => {
    button.focus();
    vi.advanceTimersByTime(60_000);
    expect(hide).not.toHaveBeenCalled();
    button.blur();
    vi.advanceTimersByTime(1_000);
    expect(hide).toHaveBeenCalledOnce();
  });
});
