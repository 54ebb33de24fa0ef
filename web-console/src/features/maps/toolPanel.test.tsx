import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { live } from '@/live/live';
import type { LatLng } from '@/map/FleetMap';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { ToolPanel } from './ToolPanel';
import { useMapTool, type MapTool } from './useMapTool';

setUpTestServer();
afterEach(() => void vi.restoreAllMocks());

function Tools({ onSelect }: { onSelect: (deviceId: string) => void }) {
  const state = useMapTool();
  const centre = (): LatLng => [-6.2, 106.8];
  const take = (tool: MapTool) => (
    <button type="button" onClick={() => state.take(tool)}>
      {tool}
    </button>
  );
  return (
    <>
      {take('ruler')}
      {take('nearest')}
      <ToolPanel state={state} centre={centre} onSelect={onSelect} />
    </>
  );
}

async function showTool(tool: MapTool) {
  const onSelect = vi.fn();
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions: ['position:live'] })));
  renderAt(<Tools onSelect={onSelect} />, '/maps', store);
  await userEvent.click(screen.getByRole('button', { name: tool }));
  return onSelect;
}

const show = async (place: string) => {
  await userEvent.type(screen.getByLabelText('Tempat'), `${place}{Enter}`);
};

describe('the ruler', () => {
  it('measures along places that were typed, takes them back, and begins again', async () => {
    await showTool('ruler');
    expect(screen.getByText('Klik dua titik atau lebih di peta.')).toBeTruthy();
    await show('-6.2, 106.8');
    await show('-6.3, 106.8');
    expect(screen.getByText('11,1 km')).toBeTruthy();
    await show('-6.2, 106.8');
    expect(screen.getByText('22,2 km')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Hapus titik terakhir' }));
    expect(screen.getByText('11,1 km')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Mulai lagi' }));
    expect(screen.getByText('Klik dua titik atau lebih di peta.')).toBeTruthy();
  });

  it('takes the middle of the map when nothing is typed, and says what is no place', async () => {
    await showTool('ruler');
    await show('Jakarta');
    expect(screen.getByText(/Tulis lintang dan bujur/)).toBeTruthy();
    await userEvent.clear(screen.getByLabelText('Tempat'));
    await userEvent.click(screen.getByRole('button', { name: 'Pakai tengah peta' }));
    await show('-6.2, 106.8');
    expect(screen.getByText('0 m')).toBeTruthy();
  });

  it('is laid down when another tool is taken, with its places', async () => {
    await showTool('ruler');
    await show('-6.2, 106.8');
    await userEvent.click(screen.getByRole('button', { name: 'nearest' }));
    expect(screen.getByText('Klik satu titik di peta.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Tutup' }));
    expect(screen.queryByTestId('tool-panel')).toBeNull();
  });
});

describe('the nearest vehicles', () => {
  it('stand in a list with distance and direction, and are selected there', async () => {
    const near = { state: 'parked', recordedAt: Date.now() } as const;
    const nearest = vi.spyOn(live, 'nearest').mockResolvedValue([
      { ...near, id: 'a', name: 'Truk Utara', metres: 1_112, bearing: 359 },
      { ...near, id: 'b', name: 'Van Selatan', metres: 85_000, bearing: 226 },
    ]);
    const onSelect = await showTool('nearest');
    await show('-6.2, 106.8');
    expect(nearest).toHaveBeenCalledWith([-6.2, 106.8], 10);
    const rows = await screen.findAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/Truk Utara.*1,1 km.*utara/),
      expect.stringMatching(/Van Selatan.*85 km.*barat daya/),
    ]);
    await userEvent.click(within(rows[1] as HTMLElement).getByRole('button'));
    expect(onSelect).toHaveBeenCalledWith('b');
  });

  it('says when there are none', async () => {
    vi.spyOn(live, 'nearest').mockResolvedValue([]);
    await showTool('nearest');
    await show('0, 0');
    await waitFor(() => expect(screen.getByText('Tidak ada kendaraan di peta.')).toBeTruthy());
  });
});
