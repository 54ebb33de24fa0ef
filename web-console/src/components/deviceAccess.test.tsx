import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DeviceAccess as Access, UserAccess as OfUser } from '@/api/generated';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { DeviceAccess } from './DeviceAccess';
import { UserAccess } from './UserAccess';

setUpTestServer();

const sari: Access = {
  user_id: 'sari',
  user_name: 'Sari',
  user_email: 'sari@example.test',
  reason: 'owner',
  ends_on: '',
  permissions: ['device:list', 'device:update'],
};
const budi: Access = {
  ...sari,
  user_id: 'budi',
  user_name: 'Budi',
  user_email: 'budi@example.test',
  reason: 'viewer',
  obstacle: 'link_ended',
  ends_on: '2026-01-31',
  permissions: [],
};
const ofBudi: OfUser = {
  user_id: 'budi',
  user_name: 'Budi',
  reasons: [{ reason: 'viewer', devices: 12, permissions: ['device:list'] }],
  ended: 1,
};

let access: Access[];
let user: OfUser;

beforeEach(() => {
  access = [budi, sari];
  user = ofBudi;
  server.use(
    http.get(at('/api/v1/devices/device-1/access'), () => HttpResponse.json({ items: access })),
    http.get(at('/api/v1/users/budi/device-access'), () => HttpResponse.json(user)),
    http.get(at('/api/v1/device-members'), ({ request }) => {
      const page = Number(new URL(request.url).searchParams.get('page'));
      const of = { user_id: 'budi', role: 'viewer', status: 'active', ends_on: '', vehicle_code: 'B 1', imei: '' };
      return HttpResponse.json({ items: [{ ...of, id: `link-${page}`, device_name: `Truk ${page}` }], total: 13 });
    }),
  );
});

const ALL = ['device_member:list', 'device_member:create', 'device:list', 'user:list'];
function show(part: React.ReactNode, permissions = ALL) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  return renderAt(part, '/devices?open=device-1', store);
}
const line = async (name: string) => within((await screen.findByText(name)).closest('li') as HTMLElement);

describe('the access to a device', () => {
  it('says who sees it, why, what they may do, and what keeps them', async () => {
    show(<DeviceAccess deviceId="device-1" />);
    const owner = await line('Sari');
    expect(owner.getByText('Pemilik')).toBeTruthy();
    expect(owner.getByText('Boleh: Lihat perangkat, Ubah perangkat.')).toBeTruthy();
    const viewer = await line('Budi');
    expect(viewer.getByText('Pemantau')).toBeTruthy();
    expect(viewer.getByText('Akses sudah berakhir')).toBeTruthy();
    expect(viewer.getByText('Sampai 31 Jan 2026')).toBeTruthy();
    expect(viewer.queryByText(/^Boleh/)).toBeNull();
  });

  it('leads to a new relation of this device, for those who may make one', async () => {
    const { router } = show(<DeviceAccess deviceId="device-1" />);
    await userEvent.click(await screen.findByRole('button', { name: 'Beri akses' }));
    await waitFor(() =>
      expect(new URLSearchParams(router.state.location.search).getAll('open')).toEqual([
        'device-1',
        'device-members:new?device_id=device-1',
      ]),
    );
  });

  it('offers none to others', async () => {
    show(<DeviceAccess deviceId="device-1" />, ['device_member:list']);
    await line('Sari');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('is not for those who do not own the device', async () => {
    server.use(
      http.get(at('/api/v1/devices/device-1/access'), () =>
        HttpResponse.json({ error: 'forbidden', message: 'Tidak.' }, { status: 403 }),
      ),
    );
    show(<DeviceAccess deviceId="device-1" />);
    expect(await screen.findByText(/^Hanya pemilik perangkat, admin/)).toBeTruthy();
  });
});

describe('the access of a user', () => {
  it('says why they see how many devices, and by which links', async () => {
    show(<UserAccess userId="budi" />);
    expect(await screen.findByText('12 perangkat')).toBeTruthy();
    expect(screen.getByText('Boleh: Lihat perangkat.')).toBeTruthy();
    expect(screen.getByText('1 akses sudah berakhir.')).toBeTruthy();
    expect(await screen.findByText('Truk 1')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: '2' }));
    expect(await screen.findByText('Truk 2')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Buka kelola akses' }).getAttribute('href')).toBe(
      '/device-members/manager?to=budi',
    );
  });

  it('says what keeps them from all of it', async () => {
    user = { ...ofBudi, obstacle: 'no_permission', reasons: [{ reason: 'viewer', devices: 12, permissions: [] }] };
    show(<UserAccess userId="budi" />);
    expect(await screen.findByText('Tidak punya izin melihat perangkat')).toBeTruthy();
    expect(screen.queryByText(/^Boleh/)).toBeNull();
  });

  it('says that nothing shows them a device', async () => {
    user = { ...ofBudi, reasons: [], ended: 0 };
    show(<UserAccess userId="budi" />);
    expect(await screen.findByText(/^Tidak ada akses yang memperlihatkan perangkat/)).toBeTruthy();
  });
});
