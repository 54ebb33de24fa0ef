import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VehiclePanel } from '@/features/maps/VehiclePanel';
import { live } from '@/live/live';
import { resetLive } from '@/live/sharedConnection';
import { useLiveConnection } from '@/live/useLiveConnection';
import { signedIn, userUpdated } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { createStore } from './store';
import { renderAt } from './testing';

setUpTestServer();

const nothing = () => undefined;

/** What of the map holds the connection and lists the vehicles. */
function Panel() {
  const { reconnect } = useLiveConnection();
  return (
    <VehiclePanel
      open
      onToggle={nothing}
      states={null}
      onStates={nothing}
      selected={null}
      following={false}
      onSelect={nothing}
      onFollow={nothing}
      onReconnect={reconnect}
    />
  );
}

function show(permissions: string[]) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  return renderAt(<Panel />, '/maps', store);
}

beforeEach(() => {
  vi.spyOn(live, 'start').mockReturnValue();
  vi.spyOn(live, 'stop').mockReturnValue();
  vi.spyOn(live, 'clear').mockReturnValue();
});
afterEach(() => {
  resetLive();
  vi.restoreAllMocks();
});

describe('a fleet without vehicles', () => {
  it.each([
    [['position:live', 'device:create'], 1],
    [['position:live'], 0],
  ])('offers to add one to who may: %j', (permissions, links) => {
    vi.spyOn(live, 'list').mockReturnValue({ total: 0, fleetSize: 0, complete: true, first: 0, devices: [] });
    show(permissions);
    expect(screen.getByText('Belum ada kendaraan')).toBeTruthy();
    expect(screen.queryAllByRole('link', { name: 'Tambah perangkat' })).toHaveLength(links);
  });

  it('is told from one whose devices are all inactive', () => {
    vi.spyOn(live, 'list').mockReturnValue({ total: 0, fleetSize: 3, complete: true, first: 0, devices: [] });
    show(['position:live']);
    expect(screen.getByText('Semua perangkat nonaktif')).toBeTruthy();
  });
});

describe('the map without live positions', () => {
  it('opens when the permission is given, without being loaded anew', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { user } = loginAnswer({ permissions: ['position:live'] });
      server.use(http.get(at('/api/v1/auth/me'), () => HttpResponse.json(user)));
      show([]);
      expect(live.start).not.toHaveBeenCalled();
      vi.advanceTimersByTime(5_000);
      await waitFor(() => expect(live.start).toHaveBeenCalledOnce());
      expect(screen.queryByText('Anda tidak memiliki akses ke posisi langsung.')).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  it('says so, connects to nothing, and leads to the devices', () => {
    show(['device:list']);
    expect(screen.getByText('Anda tidak memiliki akses ke posisi langsung.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Hubungkan kembali' })).toBeNull();
    expect(screen.queryByText('Gagal memuat daftar perangkat.')).toBeNull();
    expect(screen.queryByRole('group', { name: 'Saring menurut keadaan' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Lihat daftar perangkat' }).getAttribute('href')).toBe('/devices');
    expect(live.start).not.toHaveBeenCalled();
  });

  it('offers no list of devices to who may not see it', () => {
    show([]);
    expect(screen.getByText('Posisi langsung tidak ditampilkan')).toBeTruthy();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('ends at once, and forgets, when the permission goes', async () => {
    const { store } = show(['position:live', 'device:list']);
    expect(live.start).toHaveBeenCalledOnce();
    const { user } = loginAnswer({ permissions: ['device:list'] });
    // Signing in forgets as well.
    vi.mocked(live.clear).mockClear();
    store.dispatch(userUpdated(user));
    await waitFor(() => expect(live.stop).toHaveBeenCalledOnce());
    expect(live.clear).toHaveBeenCalledOnce();
    expect(screen.getByText('Anda tidak memiliki akses ke posisi langsung.')).toBeTruthy();
  });
});
