import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VehiclePanel } from './VehiclePanel';
import { connectionChanged } from '@/live/connectionSlice';
import { live } from '@/live/live';
import { useLiveSession } from '@/live/useLiveSession';
import { signedIn, userUpdated } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';

setUpTestServer();

const nothing = () => undefined;

/** What of the shell holds the session, and of the map lists the vehicles. */
function Panel() {
  useLiveSession();
  return (
    <VehiclePanel
      open
      onToggle={nothing}
      chosen={[]}
      followed={null}
      onChoose={nothing}
      onFollow={nothing}
      card={null}
      onList={nothing}
    />
  );
}

function show(permissions: string[], path = '/maps') {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  return renderAt(<Panel />, path, store);
}

beforeEach(() => {
  vi.spyOn(live, 'start').mockReturnValue();
  vi.spyOn(live, 'stop').mockReturnValue();
  vi.spyOn(live, 'clear').mockReturnValue();
});
afterEach(() => void vi.restoreAllMocks());

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
      expect(screen.queryByText('Anda tidak memiliki akses ke posisi real-time.')).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  it('says so, connects to nothing, and leads to the devices', () => {
    show(['device:list']);
    expect(screen.getByText('Anda tidak memiliki akses ke posisi real-time.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Hubungkan kembali' })).toBeNull();
    expect(screen.queryByText('Gagal memuat daftar perangkat.')).toBeNull();
    expect(screen.queryByRole('group', { name: 'Filter menurut status' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Lihat daftar perangkat' }).getAttribute('href')).toBe('/devices');
    expect(live.start).not.toHaveBeenCalled();
  });

  it('offers no list of devices to who may not see it', () => {
    show([]);
    expect(screen.getByText('Posisi real-time tidak ditampilkan')).toBeTruthy();
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
    expect(screen.getByText('Anda tidak memiliki akses ke posisi real-time.')).toBeTruthy();
  });
});

describe('a server that falls silent', () => {
  it('is told beside the list, with a way to connect anew, until it is heard again', async () => {
    vi.spyOn(live, 'list').mockReturnValue({ total: 0, fleetSize: 3, complete: true, first: 0, devices: [] });
    const reconnect = vi.spyOn(live, 'reconnect').mockReturnValue();
    const { store } = show(['position:live']);
    store.dispatch(connectionChanged({ state: 'connected', problem: 'silent' }));
    expect(await screen.findByText(/Tidak ada data dari server/)).toBeTruthy();
    expect(screen.queryByText('Live')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Hubungkan kembali' }));
    expect(reconnect).toHaveBeenCalledOnce();
    store.dispatch(connectionChanged({ state: 'connected', problem: null }));
    expect(await screen.findByText('Live')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Hubungkan kembali' })).toBeNull();
  });
});

describe('groups of vehicles', () => {
  const groups = '/api/v1/devices/groups';
  const NESTED = {
    items: [
      { id: 'g2', name: 'Bandung', parent_id: 'g1', device_ids: ['b'] },
      { id: 'g1', name: 'Jawa', device_ids: ['a'] },
    ],
  };
  const VEHICLES = { total: 0, fleetSize: 3, complete: true, first: 0, devices: [] };

  it('are asked for where the address names one, told to who filters by them, and left again', async () => {
    server.use(http.get(at(groups), () => HttpResponse.json(NESTED)));
    vi.spyOn(live, 'list').mockReturnValue(VEHICLES);
    const ask = vi.spyOn(live, 'ask').mockReturnValue();
    const setGroups = vi.spyOn(live, 'setGroups').mockReturnValue();
    const { router, unmount } = show(['position:live', 'device:list'], '/maps?groups=g2&by=group');
    expect(ask).toHaveBeenLastCalledWith(expect.objectContaining({ groups: ['g2'], turned: [] }));
    expect(await screen.findByText('Grup: Jawa › Bandung')).toBeTruthy();
    expect(setGroups).toHaveBeenLastCalledWith([
      { id: 'g2', name: 'Bandung', parentId: 'g1', deviceIds: ['b'] },
      { id: 'g1', name: 'Jawa', parentId: null, deviceIds: ['a'] },
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Tampilkan semua grup' }));
    await waitFor(() => expect(router.state.location.search).toBe('?by=group'));
    expect(ask).toHaveBeenLastCalledWith(expect.objectContaining({ groups: null, turned: [] }));
    unmount();
    expect(setGroups).toHaveBeenLastCalledWith(null);
  });

  it('are chosen by name, with those that they lie in', async () => {
    server.use(http.get(at(groups), () => HttpResponse.json(NESTED)));
    vi.spyOn(live, 'settled').mockReturnValue(true);
    vi.spyOn(live, 'list').mockReturnValue(VEHICLES);
    const { router } = show(['position:live', 'device:list']);
    await userEvent.click(screen.getByRole('button', { name: 'Grup' }));
    await userEvent.click(await screen.findByLabelText('Susun daftar menurut grup'));
    await waitFor(() => expect(router.state.location.search).toBe('?by=group'));
    await userEvent.click(screen.getByRole('combobox', { name: 'Hanya kendaraan dalam grup ini' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Jawa › Bandung' }));
    await waitFor(() => expect(router.state.location.search).toBe('?by=group&groups=g2'));
  });

  it('are said to be missing where the list would stand by them', async () => {
    let attempts = 0;
    const failing = () =>
      attempts++ === 0 ? HttpResponse.json({ error: 'internal' }, { status: 500 }) : HttpResponse.json(NESTED);
    server.use(http.get(at(groups), failing));
    vi.spyOn(live, 'list').mockReturnValue(VEHICLES);
    show(['position:live', 'device:list'], '/maps?by=group');
    expect(await screen.findByText('Gagal memuat grup.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Coba lagi' }));
    await waitFor(() => expect(screen.queryByText('Gagal memuat grup.')).toBeNull());
  });

  it('are nothing to who may not list devices', () => {
    const ask = vi.spyOn(live, 'ask').mockReturnValue();
    show(['position:live'], '/maps?groups=g2&by=group');
    expect(ask).toHaveBeenLastCalledWith(expect.objectContaining({ groups: null, turned: null }));
    expect(screen.queryByRole('button', { name: 'Grup' })).toBeNull();
  });
});

describe('what the map shows', () => {
  it('stands in the address: search, states and order', async () => {
    vi.spyOn(live, 'list').mockReturnValue({ total: 0, fleetSize: 3, complete: true, first: 0, devices: [] });
    const ask = vi.spyOn(live, 'ask').mockReturnValue();
    const { router } = show(['position:live'], '/maps?q=truk&states=moving,flying&sort=recent');
    expect(ask).toHaveBeenLastCalledWith(
      expect.objectContaining({ search: 'truk', states: ['moving'], sort: 'recent' }),
    );
    await userEvent.click(screen.getByRole('button', { name: /^Parkir/ }));
    await waitFor(() => expect(router.state.location.search).toContain('states=moving%2Cparked'));
    await userEvent.click(screen.getByRole('button', { name: 'Tampilkan semua' }));
    await waitFor(() => expect(router.state.location.search).toBe('?sort=recent'));
    expect(ask).toHaveBeenLastCalledWith(expect.objectContaining({ search: '', states: null }));
  });

  it('begins with the view that somebody made their usual one, and leaves it with the first other wish', async () => {
    const person = loginAnswer({ permissions: ['position:live'] }).user;
    const view = JSON.stringify({ id: 'v', query: 'q=truk&states=moving' });
    localStorage.setItem(`usual_view.${person.id}.maps`, view);
    try {
      vi.spyOn(live, 'list').mockReturnValue({ total: 0, fleetSize: 3, complete: true, first: 0, devices: [] });
      const ask = vi.spyOn(live, 'ask').mockReturnValue();
      const { router } = show(['position:live']);
      expect(ask).toHaveBeenLastCalledWith(expect.objectContaining({ search: 'truk', states: ['moving'] }));
      await userEvent.click(screen.getByRole('button', { name: /^Bergerak/ }));
      await waitFor(() => expect(router.state.location.search).toBe('?q=truk'));
      expect(ask).toHaveBeenLastCalledWith(expect.objectContaining({ search: 'truk', states: null }));
    } finally {
      localStorage.clear();
    }
  });
});
