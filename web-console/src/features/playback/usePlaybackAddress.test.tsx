import { act, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useNow } from '@/lib/useNow';
import { renderAt } from '@/testing/render';
import { usePlaybackAddress } from './usePlaybackAddress';

/** As the panel, which knows what day it is, beside it. */
function Shown() {
  const { firstDay } = usePlaybackAddress();
  return <p>{`${firstDay}, ${new Date(useNow()).toISOString()}`}</p>;
}

afterEach(() => void vi.useRealTimers());

it('goes on with the day on which it was opened', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: new Date('2026-11-27T16:59:58Z') });
  renderAt(<Shown />, '/playback');
  expect(await screen.findByText(/^2026-11-27/)).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(screen.getByText('2026-11-27, 2026-11-27T17:00:08.000Z')).toBeTruthy();
});
