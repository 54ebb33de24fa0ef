import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VehiclePanel } from '@/features/maps/VehiclePanel';
import { live } from '@/live/live';
import { forgetLive, useLiveConnection } from '@/live/useLiveConnection';
import { signedIn, told } from '@/session/sessionSlice';
import { loginAnswer } from '@/testing/tokens';
import { createStore } from './store';
import { renderAt } from './testing';

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
  forgetLive();
  vi.restoreAllMocks();
});

describe('the map without live positions', () => {
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
    store.dispatch(told(user));
    await waitFor(() => expect(live.stop).toHaveBeenCalledOnce());
    expect(live.clear).toHaveBeenCalledOnce();
    expect(screen.getByText('Anda tidak memiliki akses ke posisi langsung.')).toBeTruthy();
  });
});
