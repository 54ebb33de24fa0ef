import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { toastError, toastInfo, toastSuccess, toastWarning } from '@/lib/toast';
import { renderAt } from '@/testing/render';

describe('toasts', () => {
  it.each([
    ['success', toastSuccess],
    ['warning', toastWarning],
    ['information', toastInfo],
    ['error', toastError],
  ])('of kind %s go by themselves', async (kind, toast) => {
    renderAt(null, '/');
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      act(() => toast(`Pesan ${kind}`));
      expect(await screen.findByText(`Pesan ${kind}`)).toBeTruthy();
      await act(() => vi.advanceTimersByTimeAsync(9_000));
      await waitFor(() => expect(screen.queryByText(`Pesan ${kind}`)).toBeNull());
    } finally {
      vi.useRealTimers();
    }
  });
});
