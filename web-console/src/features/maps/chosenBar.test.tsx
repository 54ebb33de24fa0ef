import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { live } from '@/live/live';
import type { LiveDevice } from '@/live/liveDevice';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { loginAnswer } from '@/testing/tokens';
import { ChosenBar } from './ChosenBar';
import type { TracksOfToday } from './useTracksOfToday';

function show(chosen: string[], permissions: string[], change: Partial<TracksOfToday> = {}) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  const acts = { onFollow: vi.fn(), toggle: vi.fn(), onClear: vi.fn() };
  const tracks = { shown: false, loading: false, error: undefined, points: 0, lines: [], ...change };
  renderAt(
    <ChosenBar
      chosen={chosen}
      following={false}
      onFollow={acts.onFollow}
      tracks={{ ...tracks, toggle: acts.toggle }}
      onClear={acts.onClear}
    />,
    '/maps',
    store,
  );
  return acts;
}
afterEach(() => void vi.restoreAllMocks());

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const HISTORY = ['position:live', 'position:history'];

describe('several vehicles', () => {
  it('are counted, followed, shown with their ways and let go', async () => {
    const acts = show(['a', 'b'], HISTORY);
    expect(screen.getByRole('status').textContent).toBe('2 kendaraan dipilih');
    await userEvent.click(button('Ikuti semua'));
    await userEvent.click(button('Jejak hari ini'));
    await userEvent.click(button('Batalkan pilihan'));
    for (const act of Object.values(acts)) expect(act).toHaveBeenCalledOnce();
    const link = screen.getByRole('link', { name: 'Riwayat' });
    expect(link.getAttribute('href')).toBe('/playback?device_id=a&device_id=b');
  });

  it('have no more ways than the history shows at a time, and it says so', () => {
    show(['a', 'b', 'c', 'd', 'e'], HISTORY);
    expect(button('Jejak hari ini').disabled).toBe(true);
    expect(button('Jejak hari ini').title).toBe('Paling banyak 4 kendaraan sekaligus.');
    const link = screen.getByRole('link', { name: 'Riwayat' });
    expect(link.getAttribute('href')?.match(/device_id/g)).toHaveLength(4);
  });

  it('are offered to each as far as they may', async () => {
    show(['a', 'b'], ['position:live', 'command:create']);
    expect(screen.queryByRole('button', { name: 'Jejak hari ini' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Riwayat' })).toBeNull();
    await userEvent.click(button('Tindakan lain untuk kendaraan terpilih'));
    // Which they are is said before anything is sent to them.
    vi.spyOn(live, 'device').mockImplementation((id) => ({ name: `Truk ${id}` }) as LiveDevice);
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Kirim perintah' }));
    expect(await screen.findByText('Truk a, Truk b')).toBeTruthy();
  });

  it('say how many positions their ways are of', () => {
    show(['a', 'b'], HISTORY, { shown: true, points: 1_234 });
    expect(screen.getByText('1.234 posisi hari ini')).toBeTruthy();
  });
});
