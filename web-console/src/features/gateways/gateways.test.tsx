import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Gateway, GatewayConnection, GatewayMessage } from '@/api/generated';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer, tokenWith } from '@/testing/tokens';
import resource from './gateways.resource';

setUpTestServer();

const depot: Gateway = {
  id: 'gateway-1',
  tenant_id: 'tenant-2',
  name: 'depot',
  state: 'connected',
  enabled: true,
  allowed_addresses: '',
  notes: '',
  is_anonymous: false,
  connections: 2,
  fixes_per_second: 12.34,
  rejections: [{ reason: 'null_island', count: 7 }],
  rejected: 7,
  last_heard_at: '2026-11-01T00:00:00Z',
  secret_created_at: '2026-10-01T00:00:00Z',
  has_previous_secret: false,
  created_at: '2026-10-01T00:00:00Z',
  updated_at: '2026-10-01T00:00:00Z',
  row_version: 3,
};
const message: GatewayMessage = {
  received_at: '2026-11-01T00:00:00Z',
  device: '356938035643809',
  size: 42,
  body: '{"lat":0,"lng":0}',
  is_text: true,
  is_cut: false,
  accepted: 0,
  held: 0,
  rejected: [],
  rejected_count: 0,
  clock_ahead_seconds: 0,
  clock_behind_seconds: 0,
  clock_corrected: 0,
  second_places: 0,
  left_out: [],
  unknown_imeis: [],
  was_answered: true,
};

let gateway: Gateway;
let messages: GatewayMessage[];
let connections: GatewayConnection[];
let sent: { call: string; version: string | null; body: unknown }[];

beforeEach(() => {
  gateway = depot;
  messages = [];
  connections = [];
  sent = [];
  const keep = async (request: Request) => {
    const text = await request.text();
    const call = `${request.method} ${new URL(request.url).pathname}`;
    const body = text ? (JSON.parse(text) as unknown) : undefined;
    sent.push({ call, version: request.headers.get('if-match'), body });
  };
  const changed = (change: Partial<Gateway>) => {
    gateway = { ...gateway, ...change, row_version: gateway.row_version + 1 };
    return gateway;
  };
  server.use(
    http.get(at('/api/v1/gateways'), () => HttpResponse.json({ items: [gateway], total: 1 })),
    http.post(at('/api/v1/gateways'), async ({ request }) => {
      await keep(request);
      return HttpResponse.json({ ...gateway, name: 'baru', secret: 'sekali-saja' }, { status: 201 });
    }),
    http.get(at('/api/v1/gateways/:id'), () => HttpResponse.json(gateway)),
    http.put(at('/api/v1/gateways/:id'), async ({ request }) => {
      await keep(request);
      return HttpResponse.json(changed({ enabled: false, state: 'off' }));
    }),
    http.post(at('/api/v1/gateways/:id/secret'), async ({ request }) => {
      await keep(request);
      return HttpResponse.json({ ...changed({ has_previous_secret: true }), secret: 'yang-baru' });
    }),
    http.post(at('/api/v1/gateways/:id/retire-secret'), async ({ request }) => {
      await keep(request);
      return HttpResponse.json(changed({ has_previous_secret: false }));
    }),
    http.get(at('/api/v1/gateways/:id/connections'), () =>
      HttpResponse.json({ items: connections, total: connections.length }),
    ),
    http.get(at('/api/v1/gateway-messages/:name'), () =>
      HttpResponse.json({ items: messages, total: messages.length }),
    ),
    http.get(at('/api/v1/tenants'), () =>
      HttpResponse.json({ items: [{ id: 'tenant-2', name: 'PT Baru' }], total: 1 }),
    ),
    http.get(at('/api/v1/tenants/:id'), ({ params }) => HttpResponse.json({ id: params.id, name: 'PT Baru' })),
    http.get(at('/api/v1/drivers'), () => HttpResponse.json({ items: [], total: 0 })),
    http.get(at('/api/v1/users'), () => HttpResponse.json({ items: [], total: 0 })),
  );
});

function owner() {
  const store = createStore();
  const acts = ['list', 'create', 'update', 'delete', 'export'];
  const permissions = ['gateway', 'device', 'driver', 'user'].flatMap((of) => acts.map((act) => `${of}:${act}`));
  const { user } = loginAnswer({ person: 'owner', permissions });
  const token = tokenWith({ sub: 'owner', is_platform_owner: true, exp: Math.floor(Date.now() / 1000) + 600 });
  store.dispatch(
    signedIn({ token, user: { ...user, tenant_id: undefined, is_platform_owner: true, is_tenant_admin: false } }),
  );
  return store;
}

function personWith(...permissions: string[]) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  return store;
}

const show = (address = '', store = owner()) =>
  renderAt(<ResourceListPage resource={resource} />, `/gateways${address}`, store);
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
const field = (of: Awaited<ReturnType<typeof dialog>>, name: string) =>
  of.getByRole<HTMLInputElement>('textbox', { name });

describe('the list of gateways', () => {
  it('tells how each one is', async () => {
    show();
    const row = within(await screen.findByRole('row', { name: /depot/ }));
    expect(await row.findByText('PT Baru')).toBeTruthy();
    expect(row.getByText('Tersambung')).toBeTruthy();
    expect(row.getByText('12,3')).toBeTruthy();
    await userEvent.hover(row.getByText('7'));
    expect(await screen.findByText('Koordinat 0, 0: 7')).toBeTruthy();
  });

  it('asks again by itself', async () => {
    show();
    expect(await screen.findByText('Tersambung')).toBeTruthy();
    gateway = { ...gateway, state: 'disconnected' };
    expect(await screen.findByText('Terputus', undefined, { timeout: 9_000 })).toBeTruthy();
  }, 15_000);
});

describe('the secret of a gateway', () => {
  it('is shown once, when the gateway is made', async () => {
    const user = userEvent.setup();
    show('?open=new');
    const form = await dialog('Gateway baru');
    await user.type(form.getByRole('textbox', { name: /^Nama/ }), 'a.b');
    await user.click(form.getByRole('button', { name: 'Tambah gateway' }));
    expect((await form.findAllByText('Huruf, angka, - dan _, paling banyak 64.')).length).toBeGreaterThan(0);
    await user.clear(form.getByRole('textbox', { name: /^Nama/ }));
    await user.type(form.getByRole('textbox', { name: /^Nama/ }), 'baru');
    await user.click(form.getByRole('button', { name: 'Tambah gateway' }));

    const shown = await dialog('Kunci rahasia baru');
    expect(sent).toEqual([
      {
        call: 'POST /api/v1/gateways',
        version: null,
        body: { name: 'baru', enabled: true, allowed_addresses: '', notes: '' },
      },
    ]);
    expect(field(shown, 'Kunci rahasia').value).toBe('sekali-saja');
    expect(field(shown, 'Alamat sambungan').value).toBe(`nats://baru:sekali-saja@${window.location.hostname}:4222`);
    expect(shown.getByText('gps.baru.<imei>')).toBeTruthy();
    expect(shown.getByText('_INBOX_baru')).toBeTruthy();
    await user.click(shown.getByRole('button', { name: 'Salin kunci rahasia' }));
    expect(await navigator.clipboard.readText()).toBe('sekali-saja');

    const done = shown.getByRole<HTMLButtonElement>('button', { name: 'Selesai' });
    expect(done.disabled).toBe(true);
    await user.keyboard('{Escape}');
    await user.click(shown.getByRole('checkbox', { name: 'Saya sudah menyimpan kunci rahasia ini' }));
    await user.click(done);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.body.innerHTML).not.toContain('sekali-saja');
  });

  it('is rotated and the former one retired, each after a question, and the form still knows the version', async () => {
    show('?open=gateway-1&tab=secret');
    const drawer = await dialog('depot');
    expect(drawer.queryByRole('button', { name: 'Cabut kunci rahasia lama' })).toBeNull();
    await userEvent.click(await drawer.findByRole('button', { name: 'Ganti kunci rahasia' }));
    const question = await dialog('Ganti kunci rahasia depot?');
    expect(sent).toEqual([]);
    await userEvent.click(question.getByRole('button', { name: 'Ganti kunci rahasia' }));
    const shown = await dialog('Kunci rahasia depot');
    expect(field(shown, 'Kunci rahasia').value).toBe('yang-baru');
    await userEvent.click(shown.getByRole('checkbox'));
    await userEvent.click(shown.getByRole('button', { name: 'Selesai' }));

    await userEvent.click(await drawer.findByRole('button', { name: 'Cabut kunci rahasia lama' }));
    await userEvent.click(
      (await dialog('Cabut kunci rahasia lama depot?')).getByRole('button', { name: 'Cabut kunci rahasia lama' }),
    );
    await waitFor(() => expect(drawer.queryByRole('button', { name: 'Cabut kunci rahasia lama' })).toBeNull());

    await userEvent.click(drawer.getByRole('tab', { name: 'Pengaturan' }));
    await userEvent.type(drawer.getByRole('textbox', { name: 'Catatan' }), 'x');
    await userEvent.click(drawer.getByRole('button', { name: 'Simpan perubahan' }));
    await waitFor(() => expect(sent.at(-1)?.call).toBe('PUT /api/v1/gateways/gateway-1'));
    expect(sent.map(({ version }) => version)).toEqual(['3', '4', '5']);
  });

  it('is not changed by those who may only look', async () => {
    show('?open=gateway-1&tab=secret', personWith('gateway:list'));
    const drawer = await dialog('depot');
    expect(await drawer.findByText('Terakhir dipakai')).toBeTruthy();
    expect(drawer.queryByRole('button', { name: 'Ganti kunci rahasia' })).toBeNull();
  });

  it('is none where nobody gives a name, and that gateway stays', async () => {
    gateway = { ...depot, name: 'local', tenant_id: undefined, is_anonymous: true };
    show('?open=gateway-1&tab=secret');
    const drawer = await dialog('local');
    expect(await drawer.findByText(/tidak memakai kunci rahasia/)).toBeTruthy();
    expect(drawer.queryByRole('button', { name: 'Ganti kunci rahasia' })).toBeNull();
    expect(drawer.queryByRole('button', { name: 'Hapus' })).toBeNull();
    await userEvent.click(drawer.getByRole('tab', { name: 'Pengaturan' }));
    expect(drawer.getByRole('switch', { name: /^Boleh tersambung/ })).toBeTruthy();
    expect(drawer.queryByRole('textbox', { name: 'Alamat yang diizinkan' })).toBeNull();
  });
});

describe('what a gateway does', () => {
  it('ends when it is switched off, which is asked first', async () => {
    show('?open=gateway-1');
    const drawer = await dialog('depot');
    await userEvent.click(await drawer.findByRole('switch', { name: /^Boleh tersambung/ }));
    await userEvent.click(drawer.getByRole('button', { name: 'Simpan perubahan' }));
    const question = await dialog('Nonaktifkan depot?');
    expect(question.getByText(/dalam lima detik/)).toBeTruthy();
    expect(sent).toEqual([]);
    await userEvent.click(question.getByRole('button', { name: 'Simpan' }));
    await waitFor(() =>
      expect(sent).toEqual([{ call: 'PUT /api/v1/gateways/gateway-1', version: '3', body: { enabled: false } }]),
    );
  });

  it('is seen in its connections', async () => {
    connections = [
      {
        id: '12',
        server: 'n1',
        address: '203.0.113.9:5021',
        program: 'gt06-bridge',
        client: 'rust 0.40',
        connected_at: '2026-11-01T00:00:00Z',
        messages: 1234,
        bytes: 5678,
      },
    ];
    show('?open=gateway-1&tab=connections');
    const table = within(await (await dialog('depot')).findByRole('table', { name: 'Sambungan' }));
    expect(table.getByText('gt06-bridge')).toBeTruthy();
    expect(table.getByText('1.234')).toBeTruthy();
  });
});

describe('the last messages of a gateway', () => {
  it('say how to send a first one', async () => {
    show('?open=gateway-1&tab=messages');
    const drawer = await dialog('depot');
    expect(await drawer.findByText('Belum ada pesan')).toBeTruthy();
    expect(drawer.getByText(/^nats req gps\.depot\.<imei> .* --inbox-prefix=_INBOX_depot$/)).toBeTruthy();
  });

  it('say what became of each, and the wrong ones alone when asked', async () => {
    messages = [
      {
        ...message,
        accepted: 2,
        received_at: '2026-11-01T00:00:02Z',
        device: 'frame',
        clock_ahead_seconds: 140,
        clock_behind_seconds: 619_315_200,
        clock_corrected: 2,
        second_places: 1,
        left_out: [
          { field: 'batt_percent', reason: 'out_of_range', count: 2 },
          { field: 'attrs', reason: 'wrong_type', count: 1 },
        ],
      },
      {
        ...message,
        rejected: [{ index: 0, reason: 'latitude_out_of_range', field: 'lat' }],
        rejected_count: 1,
        was_answered: false,
      },
      { ...message, accepted: 9, received_at: '2026-11-01T00:00:01Z' },
    ];
    show('?open=gateway-1&tab=messages');
    const list = within(await (await dialog('depot')).findByRole('list', { name: 'Pesan terakhir' }));
    expect(list.getByText('Diterima: 2')).toBeTruthy();
    expect(list.getByText('Jam salah: terlalu cepat 2 mnt')).toBeTruthy();
    expect(list.getByText('Jam salah: terlambat 7.168 hari')).toBeTruthy();
    expect(list.getByText('Waktu dikoreksi: 2')).toBeTruthy();
    expect(list.getByText('Lokasi kedua pada saat yang sama: 1')).toBeTruthy();
    expect(list.getByText('Nilai diabaikan: 3')).toBeTruthy();
    expect(list.getByText(/Nilai di luar batas/).textContent).toBe('Nilai di luar batas batt_percent × 2');
    expect(list.getByText(/Bukan nilai untuk/).textContent).toBe('Bukan nilai untuk kolom ini attrs');
    expect(list.getByText('Ditolak: 1')).toBeTruthy();
    expect(list.getByText(/Lintang di luar batas/).textContent).toBe('Lintang di luar batas lat');
    expect(list.getByText(/tidak menyebut kotak balasan/)).toBeTruthy();
    expect(list.getByText('Diterima: 9')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Hanya yang bermasalah' }));
    expect(list.queryByText('Diterima: 9')).toBeNull();
    expect(list.getByText('Nilai diabaikan: 3')).toBeTruthy();
    expect(list.getByText('Ditolak: 1')).toBeTruthy();
  });

  it('move on by themselves until they are paused', async () => {
    show('?open=gateway-1&tab=messages');
    const drawer = await dialog('depot');
    expect(await drawer.findByText('Belum ada pesan')).toBeTruthy();
    messages = [{ ...message, accepted: 1 }];
    expect(await drawer.findByText('Diterima: 1')).toBeTruthy();
    await userEvent.click(drawer.getByRole('button', { name: 'Jeda' }));
    messages = [{ ...message, accepted: 5 }];
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(drawer.queryByText('Diterima: 5')).toBeNull();
    await userEvent.click(drawer.getByRole('button', { name: 'Lanjutkan' }));
    expect(await drawer.findByText('Diterima: 5')).toBeTruthy();
  }, 20_000);

  it('lead from a tracker that nobody has to a device with its IMEI', async () => {
    messages = [{ ...message, held: 1, unknown_imeis: ['356938035643809'] }];
    const { router } = show('?open=gateway-1&tab=messages');
    const drawer = await dialog('depot');
    expect(await drawer.findByText('Disimpan: 1')).toBeTruthy();
    await userEvent.click(drawer.getByRole('button', { name: 'Daftarkan perangkat 356938035643809' }));
    const device = await dialog('Perangkat baru');
    expect((await device.findByRole<HTMLInputElement>('textbox', { name: /^IMEI/ })).value).toBe('356938035643809');
    await waitFor(() =>
      expect(device.getByRole<HTMLInputElement>('combobox', { name: /^Tenant/ }).value).toBe('PT Baru'),
    );
    expect(new URLSearchParams(router.state.location.search).getAll('open')).toEqual([
      'gateway-1',
      'devices:new?imei=356938035643809&tenant_id=tenant-2',
    ]);
  });

  it('lead nowhere for those who may make no devices, and when somebody has the tracker by now', async () => {
    messages = [{ ...message, held: 1, unknown_imeis: ['356938035643809'] }];
    const { unmount } = show('?open=gateway-1&tab=messages', personWith('gateway:list'));
    expect(await (await dialog('depot')).findByText('Disimpan: 1')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Daftarkan/ })).toBeNull();
    unmount();
    messages = [{ ...message, accepted: 1, received_at: '2026-11-01T00:00:09Z' }, ...messages];
    show('?open=gateway-1&tab=messages');
    expect(await (await dialog('depot')).findByText('Disimpan: 1')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Daftarkan/ })).toBeNull();
  });
});
