import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderAt } from '@/testing/render';
import { lazyPart } from './lazyPart';

afterEach(() => void vi.useRealTimers());

describe('a part whose code does not come', () => {
  it('is said, leaves what was typed, and is there once its code comes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const load = vi
      .fn<() => Promise<() => string>>()
      .mockRejectedValueOnce(new Error('no network'))
      .mockResolvedValue(() => 'the part');
    const Part = lazyPart(load);
    renderAt(
      <>
        <input aria-label="typed" />
        <Part />
      </>,
      '/',
    );
    fireEvent.change(screen.getByLabelText('typed'), { target: { value: 'x' } });
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    expect(screen.getByText('the part')).toBeTruthy();
    expect(screen.getByText(/^Sebagian halaman belum dapat dimuat/)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('typed').value).toBe('x');
    expect(load).toHaveBeenCalledTimes(2);
  });
});
