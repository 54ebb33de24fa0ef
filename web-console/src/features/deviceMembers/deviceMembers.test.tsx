import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DeviceMember, LinkDevicesReport, LinkDevicesRequest, LinkedDevice } from '@/api/generated';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import resource from './device-members.resource';

setUpTestServer();

const link: DeviceMember = {
  id: 'link-1',
  tenant_id: 'tenant-1',
  device_id: 'device-1',
  user_id: 'budi',
  device_name: 'Truk 1',
  vehicle_code: 'B 9001 XY',
  imei: '356938035643809',
  role: 'viewer',
  ends_on: '2026-12-31',
  status: 'active',
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  row_version: 3,
};
const owner: DeviceMember = { ...link, id: 'link-2', user_id: 'sari', role: 'owner', ends_on: '' };
const USERS = [
  { id: 'budi', name: 'Budi', email: 'budi@example.test' },
  { id: 'sari', name: 'Sari', email: 'sari@example.test' },
];
const DEVICES = [
  { id: 'device-1', name: 'Truk 1' },
  { id: 'device-2', name: 'Truk 2' },
];

let links: DeviceMember[];
let asked: URLSearchParams[];
let sent: { call: string; version: string | null; body: unknown }[];
/** What the server says to each request for links. */
let answer: (request: LinkDevicesRequest) => LinkDevicesReport;

const listOf =
  <T extends { id: string }>(all: T[]) =>
  ({ request }: { request: Request }) => {
    const ids = new URL(request.url).searchParams.getAll('ids');
    const items = all.filter(({ id }) => ids.length === 0 || ids.includes(id));
    return HttpResponse.json({ items, total: items.length });
  };

beforeEach(() => {
  links = [link, owner];
  asked = [];
  sent = [];
  answer = () => ({ items: [], succeeded: 0, skipped: 0, failed: 0 });
  const keep = async (request: Request) => {
    const text = await request.text();
    const call = `${request.method} ${new URL(request.url).pathname}`;
    const body = text ? (JSON.parse(text) as unknown) : undefined;
    sent.push({ call, version: request.headers.get('if-match'), body });
    return body;
  };
  server.use(
    http.get(at('/api/v1/device-members'), ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ items: links, total: links.length });
    }),
    http.get(at('/api/v1/device-members/:id'), ({ params }) =>
      HttpResponse.json(links.find(({ id }) => id === params.id) ?? null),
    ),
    http.put(at('/api/v1/device-members/:id'), async ({ request, params }) => {
      await keep(request);
      return HttpResponse.json({ ...links.find(({ id }) => id === params.id), row_version: 4 });
    }),
    http.delete(at('/api/v1/device-members/:id'), async ({ request }) => {
      await keep(request);
      return new HttpResponse(null, { status: 204 });
    }),
    http.post(at('/api/v1/device-members/bulk'), async ({ request }) => {
      await keep(request);
      return HttpResponse.json({ id: 'job-1', service: 'fleet', status: 'queued', total: 1, done: 0, failed: 0 });
    }),
    http.get(at('/api/v1/jobs/:service/:id'), () => HttpResponse.json({ id: 'job-1', status: 'completed' })),
    http.post(at('/api/v1/device-members/link'), async ({ request }) =>
      HttpResponse.json(answer((await keep(request)) as LinkDevicesRequest)),
    ),
    http.get(at('/api/v1/users'), listOf(USERS)),
    http.get(at('/api/v1/devices'), listOf(DEVICES)),
    http.get(at('/api/v1/devices/:id'), ({ params }) =>
      HttpResponse.json(DEVICES.find(({ id }) => id === params.id) ?? null),
    ),
  );
});

const ALL = ['list', 'create', 'update', 'delete', 'export'].flatMap((act) => [
  `device_member:${act}`,
  `device:${act}`,
  `user:${act}`,
]);

function show(more = '', permissions = ALL) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  return renderAt(<ResourceListPage resource={resource} />, `/device-members${more}`, store);
}

const drawer = async (name: string) => within(await screen.findByRole('dialog', { name }));
const linked = (device: string, outcome: LinkedDevice['outcome'], more: Partial<LinkedDevice> = {}): LinkedDevice => ({
  device_id: `device-${device}`,
  device_name: `Truk ${device}`,
  vehicle_code: `B ${device}`,
  outcome,
  ...more,
});

describe('the list of links', () => {
  it('says who is linked to what, as what, and until when', async () => {
    show();
    const row = within(await screen.findByRole('row', { name: /31 Des 2026/ }));
    expect(row.getByText('Truk 1')).toBeTruthy();
    expect(row.getByText('B 9001 XY')).toBeTruthy();
    expect(await row.findByText('Budi')).toBeTruthy();
    expect(row.getByText('Pemantau')).toBeTruthy();
    expect(row.getByText('Berlaku')).toBeTruthy();
    expect(asked[0]?.get('sort')).toBe('device');
  });

  it('is narrowed by users, devices, roles and status', async () => {
    show('?user_id=budi&user_id=sari&device_id=device-1&role=viewer&role=owner&status=ended');
    await screen.findAllByRole('row', { name: /Truk 1/ });
    const [first] = asked;
    expect(first?.getAll('user_id')).toEqual(['budi', 'sari']);
    expect(first?.getAll('device_id')).toEqual(['device-1']);
    expect(first?.getAll('role')).toEqual(['viewer', 'owner']);
    expect(first?.get('status')).toBe('ended');
  });

  it('names no users to those who may not see them', async () => {
    show('', ['device_member:list']);
    await screen.findAllByRole('row', { name: /Truk 1/ });
    expect(screen.queryByRole('columnheader', { name: 'Pengguna' })).toBeNull();
    expect(screen.queryByRole('tab')).toBeNull();
  });
});

describe('a link', () => {
  it('that becomes an owner’s loses its last day, after a question', async () => {
    show('?open=link-1');
    const form = await drawer('Truk 1');
    expect(form.getByText(/Melihat dan mengubah perangkat/)).toBeTruthy();
    expect(await form.findByLabelText(/^Berlaku sampai/)).toBeTruthy();
    await userEvent.click(form.getByRole('radio', { name: 'Pemilik' }));
    await waitFor(() => expect(form.queryByLabelText(/^Berlaku sampai/)).toBeNull());
    await userEvent.click(form.getByRole('button', { name: 'Simpan perubahan' }));
    const question = await drawer('Jadikan pemilik Truk 1?');
    expect(sent).toEqual([]);
    await userEvent.click(question.getByRole('button', { name: 'Simpan' }));
    const call = 'PUT /api/v1/device-members/link-1';
    await waitFor(() => expect(sent).toEqual([{ call, version: '3', body: { role: 'owner', ends_on: '' } }]));
  });

  it('of an owner is deleted knowing that the device has none then', async () => {
    show('?open=link-2');
    await userEvent.click(await (await drawer('Truk 1')).findByRole('button', { name: 'Cabut' }));
    const question = await drawer('Cabut akses ke Truk 1?');
    expect(question.getByText(/Truk 1 tidak punya pemilik/)).toBeTruthy();
    await userEvent.type(question.getByRole('textbox'), 'Truk 1');
    await userEvent.click(question.getByRole('button', { name: 'Cabut' }));
    await waitFor(() => expect(sent.map(({ call }) => call)).toEqual(['DELETE /api/v1/device-members/link-2']));
  });

  it('is one of many that get another role at once', async () => {
    show();
    await userEvent.click((await screen.findAllByRole('checkbox', { name: 'Pilih Truk 1' }))[0] as HTMLElement);
    await userEvent.click(await screen.findByRole('button', { name: 'Ubah peran' }));
    const question = await drawer('Ubah peran 1 akses?');
    await userEvent.click(question.getByRole('button', { name: 'Ubah peran' }));
    expect((await question.findAllByText('Pilih peran.')).length).toBeGreaterThan(0);
    await userEvent.click(question.getByRole('radio', { name: 'Teknisi' }));
    await userEvent.click(question.getByRole('button', { name: 'Ubah peran' }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ ids: ['link-1'], update: { role: 'technician' } }));
  });
});

describe('a new relation', () => {
  const choose = async (form: Awaited<ReturnType<typeof drawer>>) => {
    await userEvent.click(form.getByRole('combobox', { name: /^Pengguna tujuan/ }));
    await userEvent.click(await screen.findByRole('option', { name: /^Budi/ }));
    await userEvent.click(form.getByRole('combobox', { name: /^Perangkat/ }));
    await userEvent.click(await screen.findByRole('option', { name: 'Truk 1' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Truk 2' }));
  };

  it('needs a user and a device', async () => {
    show('?open=new');
    const form = await drawer('Beri akses');
    await userEvent.click(await form.findByRole('button', { name: 'Beri akses' }));
    expect((await form.findAllByText('Pilih pengguna tujuan.')).length).toBeGreaterThan(0);
    expect(form.getAllByText('Pilih sedikitnya satu perangkat.').length).toBeGreaterThan(0);
    expect(sent).toEqual([]);
  });

  it('is made for several devices, and says what became of each', async () => {
    answer = () => ({
      items: [linked('1', 'linked'), linked('2', 'already_owned')],
      succeeded: 1,
      skipped: 1,
      failed: 0,
    });
    show('?open=new');
    const form = await drawer('Beri akses');
    await form.findByRole('button', { name: 'Beri akses' });
    await choose(form);
    await userEvent.type(form.getByLabelText(/^Berlaku sampai/), '31/12/2026');
    await userEvent.click(form.getByRole('button', { name: 'Beri akses' }));
    expect(await form.findByText(/1 berhasil, 1 dilewati, 0 gagal\./)).toBeTruthy();
    expect(sent.map(({ body }) => body)).toEqual([
      { user_id: 'budi', role: 'viewer', device_ids: ['device-1', 'device-2'], ends_on: '2026-12-31' },
    ]);
    const row = within(form.getByRole('row', { name: /Truk 2/ }));
    expect(row.getByText('Perangkat sudah dimiliki pengguna ini.')).toBeTruthy();
  });

  it('says that all devices are linked already', async () => {
    answer = () => ({ items: [linked('1', 'already_linked')], succeeded: 0, skipped: 1, failed: 0 });
    show('?open=new%3Fuser_id%3Dbudi%26device_id%3Ddevice-1');
    const form = await drawer('Beri akses');
    await userEvent.click(await form.findByRole('button', { name: 'Beri akses' }));
    expect(await form.findByText('Pengguna itu sudah punya akses ke semua perangkat yang dipilih.')).toBeTruthy();
    expect(form.getByText('Pengguna tujuan sudah punya akses ke perangkat ini.')).toBeTruthy();
  });

  it('of an owner says whose place is taken, and asks', async () => {
    answer = ({ dry_run: isPreview }) => ({
      items: [linked('1', 'linked', isPreview ? { replaced_owner_id: 'sari' } : {})],
      succeeded: 1,
      skipped: 0,
      failed: 0,
    });
    show('?open=new%3Fuser_id%3Dbudi%26device_id%3Ddevice-1');
    const form = await drawer('Beri akses');
    await userEvent.click(await form.findByRole('radio', { name: 'Pemilik' }));
    expect(await form.findByText('Truk 1: Sari bukan lagi pemiliknya.')).toBeTruthy();
    expect(form.queryByLabelText(/^Berlaku sampai/)).toBeNull();
    await userEvent.click(form.getByRole('button', { name: 'Beri akses' }));
    const question = await drawer('Jadikan pengguna ini pemilik?');
    expect(sent.every(({ body }) => (body as LinkDevicesRequest).dry_run)).toBe(true);
    await userEvent.click(question.getByRole('button', { name: 'Simpan' }));
    expect(await form.findByText('1 akses berhasil diubah.')).toBeTruthy();
    expect(sent.at(-1)?.body).toEqual({ user_id: 'budi', role: 'owner', device_ids: ['device-1'], ends_on: '' });
  });

  it('that cannot be made says why, and keeps what was chosen', async () => {
    server.use(
      http.post(at('/api/v1/device-members/link'), () =>
        HttpResponse.json({ error: 'internal', message: 'Rusak.' }, { status: 500 }),
      ),
    );
    show('?open=new%3Fuser_id%3Dbudi%26device_id%3Ddevice-1');
    const form = await drawer('Beri akses');
    await userEvent.click(await form.findByRole('button', { name: 'Beri akses' }));
    expect(await form.findByText('Gagal memberi pengguna tujuan akses ke perangkat. Rusak.')).toBeTruthy();
    expect(form.getByRole('button', { name: 'Beri akses' })).toBeTruthy();
  });
});
