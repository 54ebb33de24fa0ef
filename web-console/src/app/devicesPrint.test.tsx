import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Device } from '@/api/types';
import { DevicesPrintPage } from '@/features/devices/DevicesPrintPage';
import { signedIn } from '@/session/sessionSlice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer, tokenWith } from '@/testing/tokens';
import { createStore } from './store';
import { renderAt } from './testing';

setUpTestServer();

const device = (number: number, owner?: string): Device => ({
  id: `device-${number}`,
  tenant_id: `tenant-${number}`,
  user_id: owner,
  imei: `35693803564380${number}`,
  name: `Truk ${number}`,
  sim_number: '',
  max_parking_time: 0,
  status: 'active',
  row_version: 1,
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  warnings: [],
  icon_type: 'truck',
  vehicle_code: '',
  vehicle_type: '',
  primary_driver: '',
  imei_status: 'bound',
  imei_reason: '',
});

const USERS = { 'user-7': 'Budi', 'user-8': 'Siti' };
const TENANTS = { 'tenant-1': 'Angkutan Merdeka', 'tenant-2': 'Pasir Jaya' };
const print = vi.fn();

/** Answers a list of things that is narrowed to ids. */
const named = (path: string, names: Record<string, string>) =>
  http.get(at(path), ({ request }) => {
    const ids = new URL(request.url).searchParams.getAll('ids');
    const known = Object.entries(names).filter(([id]) => ids.includes(id));
    return HttpResponse.json({ items: known.map(([id, name]) => ({ id, name })), total: known.length });
  });

beforeEach(() => {
  print.mockClear();
  vi.stubGlobal('print', print);
  Object.defineProperty(document, 'fonts', {
    value: Object.assign(new EventTarget(), { ready: Promise.resolve() }),
    configurable: true,
  });
  server.use(
    http.get(at('/api/v1/devices'), () => HttpResponse.json({ items: [device(1, 'user-7'), device(2)], total: 2 })),
    named('/api/v1/users', USERS),
    named('/api/v1/tenants', TENANTS),
    http.get(at('/api/v1/tenants/tenant-1'), () => HttpResponse.json({ id: 'tenant-1', name: 'Angkutan Merdeka' })),
  );
});

function platformOwner() {
  const { user } = loginAnswer();
  const claims = { sub: user.id, is_platform_owner: true, exp: Math.floor(Date.now() / 1000) + 600 };
  return {
    token: tokenWith(claims),
    user: { ...user, tenant_id: undefined, is_platform_owner: true, is_tenant_admin: false },
  };
}

function show(query: string, session = loginAnswer()) {
  const store = createStore();
  store.dispatch(signedIn(session));
  return renderAt(<DevicesPrintPage />, `/print/devices?${query}`, store);
}

const cells = async () => {
  await screen.findByRole('table');
  return screen.getAllByRole('row').map((row) => [...row.children].map(({ textContent }) => textContent));
};
const facts = () =>
  Object.fromEntries(
    screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  );

describe('devices on paper', () => {
  it.each([
    [['device:list'], 'Anda tidak memiliki akses untuk mengekspor atau mencetak daftar ini.'],
    [[], 'Anda tidak memiliki akses ke halaman perangkat.'],
  ])('are refused to who may not export them, with the reason: %j', async (permissions, text) => {
    show('columns=name', loginAnswer({ permissions }));
    expect(await screen.findByText(text)).toBeTruthy();
    expect(print).not.toHaveBeenCalled();
  });

  it('name tenants and owners to who sees several tenants', async () => {
    show('columns=name,tenant_id,user_id', platformOwner());
    expect(await cells()).toEqual([
      ['No.', 'Nama', 'Tenant', 'Pemilik'],
      ['1', 'Truk 1', 'Angkutan Merdeka', 'Budi'],
      ['2', 'Truk 2', 'Pasir Jaya', ''],
    ]);
    expect(facts().Tenant).toBe('Semua tenant');
  });

  it('say in words which ones they are', async () => {
    const query =
      'columns=name&q=truk&status=active&icon_type=truck&icon_type=bus&userIds=user-7&userIds=user-8&tenant_id=tenant-2';
    show(query, platformOwner());
    await cells();
    expect(facts()).toMatchObject({
      Tenant: 'Pasir Jaya',
      Pencarian: 'truk',
      Status: 'Aktif',
      Jenis: 'Truk, Bus',
      Pengguna: 'Budi, Siti',
      Jumlah: '2',
    });
  });

  it('are of their own tenant for its people, who need no list of tenants', async () => {
    server.use(http.get(at('/api/v1/tenants'), () => HttpResponse.json({ message: 'x' }, { status: 403 })));
    show('columns=name,tenant_id,user_id');
    expect((await cells())[0]).toEqual(['No.', 'Nama', 'Pemilik']);
    expect(facts().Tenant).toBe('Angkutan Merdeka');
  });

  it('wait for the names before the browser is asked to print', async () => {
    let answer = () => undefined as void;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const asked = vi.fn();
    server.use(
      http.get(at('/api/v1/users'), async () => {
        asked();
        await held;
        return HttpResponse.json({ items: [{ id: 'user-7', name: 'Budi' }], total: 1 });
      }),
    );
    show('columns=name,user_id');
    await waitFor(() => expect(asked).toHaveBeenCalled());
    expect(screen.queryByRole('table')).toBeNull();
    expect(print).not.toHaveBeenCalled();
    answer();
    expect((await cells())[1]).toEqual(['1', 'Truk 1', 'Budi']);
    await waitFor(() => expect(print).toHaveBeenCalledOnce());
  });
});
