import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ShareLink } from '@/api/generated';
import { ShareAddressDialog } from '@/components/ShareAddressDialog';
import { hideAddress } from '@/components/shareAddress';
import { SharesOf } from '@/components/SharesOf';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { SAMPLE_DEVICE } from '@/testing/sampleDevice';
import { loginAnswer } from '@/testing/tokens';
import resource from './share-links.resource';

setUpTestServer();

const link: ShareLink = {
  id: 'link-1',
  tenant_id: 'tenant-1',
  name: 'Untuk pelanggan',
  subject_name: 'Truk 2',
  device_id: 'device-1',
  expires_at: '2026-12-01T00:00:00Z',
  has_pin: true,
  opened_count: 3,
  last_opened_at: '2026-11-01T00:00:00Z',
  user_id: 'user-1',
  status: 'active',
  created_at: '2026-10-01T00:00:00Z',
  updated_at: '2026-10-01T00:00:00Z',
  row_version: 3,
};

let present: ShareLink;
let sent: { call: string; version: string | null; body: unknown }[];

function signedInWith(...permissions: string[]) {
  const store = createStore();
  const allowed = ['device:list', ...permissions.map((act) => `share_link:${act}`)];
  store.dispatch(signedIn(loginAnswer({ permissions: allowed })));
  return store;
}

const show = (query = '') =>
  renderAt(
    <>
      <ResourceListPage resource={resource} />
      <ShareAddressDialog />
    </>,
    `/share-links${query}`,
    signedInWith('list', 'create', 'update', 'delete'),
  );
const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));

beforeEach(() => {
  present = link;
  sent = [];
  const keep = async (request: Request) => {
    const text = await request.text();
    const call = `${request.method} ${new URL(request.url).pathname}`;
    sent.push({ call, version: request.headers.get('if-match'), body: text ? (JSON.parse(text) as unknown) : null });
  };
  const changed = (change: Partial<ShareLink>) => {
    present = { ...present, ...change, row_version: present.row_version + 1 };
    return present;
  };
  server.use(
    http.get(at('/api/v1/devices'), () => HttpResponse.json({ items: [], total: 0 })),
    http.get(at('/api/v1/devices/:id'), () => HttpResponse.json({ ...SAMPLE_DEVICE, id: 'device-1' })),
    http.get(at('/api/v1/share-links'), () => HttpResponse.json({ items: [present], total: 1 })),
    http.post(at('/api/v1/share-links'), async ({ request }) => {
      await keep(request);
      return HttpResponse.json({ ...present, name: 'Baru', url_token: 'rahasia' }, { status: 201 });
    }),
    http.get(at('/api/v1/share-links/:id'), () => HttpResponse.json(present)),
    http.put(at('/api/v1/share-links/:id'), async ({ request }) => {
      await keep(request);
      return HttpResponse.json(changed({ has_pin: false }));
    }),
    http.post(at('/api/v1/share-links/:id/revoke'), async ({ request }) => {
      await keep(request);
      return HttpResponse.json(changed({ status: 'revoked' }));
    }),
    http.post(at('/api/v1/share-links/:id/address'), async ({ request }) => {
      await keep(request);
      return HttpResponse.json({ ...changed({}), url_token: 'pengganti' });
    }),
  );
});
afterEach(() => act(() => hideAddress()));

describe('share links', () => {
  it('show what they show, how they stand, and how often they were opened', async () => {
    show();
    const row = within(await screen.findByRole('row', { name: /Untuk pelanggan/ }));
    expect(row.getByText('Truk 2')).toBeTruthy();
    expect(row.getByText('Aktif')).toBeTruthy();
    expect(row.getByText('3')).toBeTruthy();
  });

  it('are made for a time, and their address is shown once', async () => {
    vi.stubGlobal('navigator', Object.create(navigator, { share: { value: vi.fn() } }));
    show('?open=new%3Fsubject%3Dvehicle%26device_id%3Ddevice-1');
    const form = await dialog('Tautan berbagi baru');
    await userEvent.type(form.getByLabelText(/^Nama/), 'Baru');
    await userEvent.type(form.getByLabelText(/^PIN/), '12');
    await userEvent.click(form.getByRole('button', { name: '8 jam' }));
    await userEvent.click(form.getByRole('button', { name: 'Tambah tautan berbagi' }));
    expect(await form.findAllByText('4 sampai 8 angka.')).toBeTruthy();
    await userEvent.type(form.getByLabelText(/^PIN/), '34');
    await userEvent.click(form.getByRole('button', { name: 'Tambah tautan berbagi' }));
    const shown = await dialog('Tautan Baru');
    const address = shown.getByRole<HTMLInputElement>('textbox', { name: 'Alamat' }).value;
    expect(address).toBe(`${window.location.origin}/share#rahasia`);
    expect(shown.getByRole('button', { name: 'Bagikan' })).toBeTruthy();
    const [{ body } = { body: null }] = sent;
    const { expires_at: end, ...rest } = body as { expires_at: string };
    expect(rest).toEqual({ name: 'Baru', pin: '1234', device_id: 'device-1' });
    expect(Math.abs(Date.parse(end) - Date.now() - 8 * 3_600_000)).toBeLessThan(60_000);
    await userEvent.click(shown.getByRole('button', { name: 'Selesai' }));
    await waitFor(() => expect(screen.queryByText(/#rahasia/)).toBeNull());
    vi.unstubAllGlobals();
  });

  it('end at a time of 24 hours that is typed, by the clocks of the tenant', async () => {
    show('?open=new%3Fsubject%3Dvehicle%26device_id%3Ddevice-1');
    const form = await dialog('Tautan berbagi baru');
    await userEvent.type(form.getByLabelText(/^Nama/), 'Malam');
    const time = form.getByLabelText('Jam');
    await userEvent.clear(time);
    await userEvent.type(time, '2305');
    expect(form.getByRole('button', { name: '8 jam' }).getAttribute('aria-pressed')).toBe('false');
    await userEvent.click(form.getByRole('button', { name: 'Tambah tautan berbagi' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect((sent[0]?.body as { expires_at: string }).expires_at).toMatch(/T16:05:00/);
  });

  it('are revoked after a question, and cannot be changed then', async () => {
    show('?open=link-1');
    const drawer = await dialog('Untuk pelanggan');
    await userEvent.click(await drawer.findByRole('button', { name: 'Cabut tautan' }));
    const question = await dialog('Cabut Untuk pelanggan?');
    expect(sent).toEqual([]);
    await userEvent.click(question.getByRole('button', { name: 'Cabut tautan' }));
    expect(await drawer.findByText(/sudah dicabut dan tidak dapat diaktifkan/)).toBeTruthy();
    expect(sent).toEqual([{ call: 'POST /api/v1/share-links/link-1/revoke', version: '3', body: null }]);
    expect(drawer.queryByRole('button', { name: 'Buat alamat baru' })).toBeNull();
  });

  it('get another address, which is shown', async () => {
    show('?open=link-1');
    const drawer = await dialog('Untuk pelanggan');
    await userEvent.click(await drawer.findByRole('button', { name: 'Buat alamat baru' }));
    const question = await dialog('Buat alamat baru untuk Untuk pelanggan?');
    await userEvent.click(question.getByRole('button', { name: 'Buat alamat baru' }));
    const shown = await dialog('Tautan Untuk pelanggan');
    expect(shown.getByRole<HTMLInputElement>('textbox', { name: 'Alamat' }).value).toMatch(/#pengganti$/);
  });

  it('lose their PIN only when somebody says so', async () => {
    show('?open=link-1');
    const drawer = await dialog('Untuk pelanggan');
    await userEvent.click(await drawer.findByRole('switch', { name: /Hapus PIN/ }));
    await userEvent.click(drawer.getByRole('button', { name: 'Simpan perubahan' }));
    await waitFor(() =>
      expect(sent).toEqual([{ call: 'PUT /api/v1/share-links/link-1', version: '3', body: { pin: '' } }]),
    );
  });

  it('say why they show nothing although they hold', async () => {
    present = { ...link, status: 'ended' };
    show('?open=link-1');
    const drawer = await dialog('Untuk pelanggan');
    expect(await drawer.findByText(/pembuatnya tidak boleh lagi/)).toBeTruthy();
  });
});

describe('the links of a vehicle', () => {
  it('are those that hold, with the way to another one', async () => {
    let asked: URLSearchParams | undefined;
    server.use(
      http.get(at('/api/v1/share-links'), ({ request }) => {
        asked = new URL(request.url).searchParams;
        return HttpResponse.json({ items: [present], total: 1 });
      }),
    );
    const { router } = renderAt(<SharesOf deviceId="device-1" />, '/devices', signedInWith('list', 'create'));
    expect(await screen.findByText(/3 kali/)).toBeTruthy();
    expect([asked?.getAll('device_id'), asked?.getAll('status')]).toEqual([['device-1'], ['active']]);
    expect(screen.getByRole('link', { name: 'Semua tautan' }).getAttribute('href')).toBe(
      '/share-links?device_id=device-1',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Bagikan' }));
    expect(new URLSearchParams(router.state.location.search).getAll('open').join()).toContain('share-links:new');
  });

  it('are not made by who may not', async () => {
    renderAt(<SharesOf deviceId="device-1" />, '/devices', signedInWith('list'));
    expect(await screen.findByText(/3 kali/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Bagikan' })).toBeNull();
  });
});
