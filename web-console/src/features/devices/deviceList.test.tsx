import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Device } from '@/api/types';
import devicesResource from './devices.resource';
import { ResourceListPage } from '@/resource/ResourceListPage';
import type { SavedViewInput } from '@/api/generated';
import type { SavedView } from '@/api/types';
import { live } from '@/live/live';
import type { LiveDevice } from '@/live/liveDevice';
import type { LivePosition } from '@/live/position';
import { signedIn } from '@/session/sessionSlice';
import { SAMPLE_DEVICE } from '@/testing/sampleDevice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';

setUpTestServer();

const device = (number: number): Device => ({
  ...SAMPLE_DEVICE,
  id: `device-${number}`,
  imei: `35693803564380${number}`,
  name: `Truk ${number}`,
  row_version: number,
  vehicle_code: `B ${number}`,
});
const PAGE = [1, 2, 3].map(device);

let asked: URLSearchParams[];
beforeEach(() => {
  asked = [];
  server.use(
    http.get(at('/api/v1/devices'), ({ request }) => {
      const search = new URL(request.url).searchParams;
      asked.push(search);
      return HttpResponse.json({ items: PAGE, total: PAGE.length });
    }),
    http.get(at('/api/v1/users'), () => HttpResponse.json({ items: [], total: 0 })),
  );
});

function show(path = '/devices') {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer()));
  return renderAt(<ResourceListPage resource={devicesResource} />, path, store);
}

const rowOf = (name: string) => screen.findByRole('checkbox', { name: `Pilih ${name}` });
const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

describe('filters', () => {
  it('are added, stand in the address, and go one by one or all at once', async () => {
    const { router } = show('/devices?status=inactive');
    await rowOf('Truk 1');
    expect(asked.at(-1)?.get('status')).toBe('inactive');
    await userEvent.click(screen.getByRole('button', { name: 'Tambah filter' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Ikon peta' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Truk' }));
    await userEvent.click(screen.getByRole('option', { name: 'Bus' }));
    await waitFor(() => expect(asked.at(-1)?.getAll('icon_type')).toEqual(['truck', 'bus']));
    expect(router.state.location.search).toContain('icon_type=truck&icon_type=bus');
    await userEvent.click(screen.getByRole('button', { name: 'Hapus filter Status' }));
    await waitFor(() => expect(asked.at(-1)?.has('status')).toBe(false));
    await userEvent.click(screen.getByRole('button', { name: 'Hapus semua' }));
    await waitFor(() => expect(router.state.location.search).toBe(''));
    await router.navigate(-1);
    await waitFor(() => expect(router.state.location.search).toContain('icon_type=truck&icon_type=bus'));
  });
});

describe('columns', () => {
  it('tell how far each vehicle has driven today', async () => {
    const today = { until: Date.now() + 3_600_000, distance: 12_440, engine: null, moving: 0, idle: 0, parked: 0 };
    const position = { recordedAt: Date.now(), motion: 'moving', today } as LivePosition;
    const device = { state: 'moving', position: { ...position, lat: 0, lng: 0, speed: 41 } } as LiveDevice;
    const told = vi.spyOn(live, 'device').mockImplementation((id) => (id === 'device-1' ? device : null));
    show('/devices?columns=name,today');
    await rowOf('Truk 1');
    expect(headers()).toContain('km hari ini');
    const cells = screen.getAllByRole('cell').map(({ textContent }) => textContent);
    expect(cells.filter((text) => text === '12,4' || text === '–')).toEqual(['12,4', '–', '–']);
    told.mockRestore();
  });

  it('are chosen, remembered, and put into the address', async () => {
    const first = show();
    await rowOf('Truk 1');
    await userEvent.click(screen.getByRole('button', { name: 'Kolom dan kerapatan' }));
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Pengemudi' }));
    await waitFor(() => expect(headers()).not.toContain('Pengemudi'));
    const { search } = first.router.state.location;
    expect(search).toContain('columns=');
    first.unmount();
    const second = show();
    await rowOf('Truk 1');
    expect(headers()).not.toContain('Pengemudi');
    await waitFor(() => expect(second.router.state.location.search).toBe(search));
  });
});

describe('saved views', () => {
  it('are kept by the server and come back by name, and the usual one by itself', async () => {
    const views: SavedView[] = [];
    server.use(
      http.get(at('/api/v1/saved-views'), () => HttpResponse.json({ items: views })),
      http.post(at('/api/v1/saved-views'), async ({ request }) => {
        const input = (await request.json()) as SavedViewInput;
        views.push({ ...input, id: 'view-1', user_id: 'user-1', row_version: 1 } as SavedView);
        return HttpResponse.json(views[0], { status: 201 });
      }),
    );
    const first = show('/devices?status=inactive&sort=-imei');
    await rowOf('Truk 1');
    await userEvent.click(screen.getByRole('button', { name: /^Tampilan tersimpan/ }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Simpan tampilan ini' }));
    await userEvent.type(await screen.findByLabelText('Nama tampilan'), 'Mati');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Jadikan tampilan awal' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Bagikan ke semua orang di perusahaan' }));
    await userEvent.click(screen.getByRole('button', { name: 'Simpan' }));
    expect(await screen.findByRole('button', { name: 'Tampilan tersimpan: Mati' })).toBeTruthy();
    expect(views[0]).toMatchObject({
      screen: 'devices',
      name: 'Mati',
      is_shared: true,
    });
    expect(views[0]?.query).toMatch(/^columns=name.*&sort=-imei&status=inactive$/);
    first.unmount();
    const second = show();
    await rowOf('Truk 1');
    expect(asked.at(-1)?.get('status')).toBe('inactive');
    await waitFor(() => expect(second.router.state.location.search).toContain('sort=-imei'));
  });
});

describe('the keyboard', () => {
  it('goes through rows, chooses and opens them', async () => {
    const { router } = show();
    await rowOf('Truk 1');
    await userEvent.keyboard('jj');
    expect(document.activeElement?.textContent).toContain('Truk 2');
    await userEvent.keyboard('x');
    expect(await screen.findByText('1 dipilih')).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByText('1 dipilih')).toBeNull());
    await userEvent.keyboard('/');
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
    await userEvent.keyboard('{Escape}');
    server.use(http.get(at('/api/v1/devices/:id'), () => HttpResponse.json(device(1))));
    await userEvent.keyboard('k{Enter}');
    await waitFor(() => expect(router.state.location.search).toBe('?open=device-1'));
  });
});

describe('exports', () => {
  it('name the columns and the filter, and save the file under its name', async () => {
    let query = new URLSearchParams();
    let saved = '';
    URL.createObjectURL = () => 'blob:file';
    URL.revokeObjectURL = () => undefined;
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved = this.download;
    });
    server.use(
      http.get(at('/api/v1/devices/export'), ({ request }) => {
        query = new URL(request.url).searchParams;
        const headers = {
          'content-disposition': 'attachment; filename="devices.csv"; filename*=UTF-8\'\'Perangkat%201.csv',
        };
        return new HttpResponse('Nama\r\n', { headers: { ...headers, 'content-type': 'text/csv' } });
      }),
    );
    show('/devices?status=active&columns=name,live,imei');
    await rowOf('Truk 1');
    await userEvent.click(screen.getByRole('button', { name: 'Ekspor' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'CSV' }));
    await waitFor(() => expect(saved).toBe('Perangkat 1.csv'));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Ekspor' })));
    expect(query.getAll('columns')).toEqual(['name', 'imei']);
    expect(query.get('status')).toBe('active');
    expect(query.get('tz')).toBe('Asia/Jakarta');
  });
});

describe('a server that is away', () => {
  it('leaves the last rows and says so; who may not see them is told that', async () => {
    const { router } = show();
    await rowOf('Truk 1');
    server.use(http.get(at('/api/v1/devices'), () => HttpResponse.error()));
    await router.navigate('/devices?sort=-name');
    expect(await screen.findByText(/Server tidak dapat dihubungi/)).toBeTruthy();
    expect(screen.getByText('Truk 1')).toBeTruthy();
    server.use(http.get(at('/api/v1/devices'), () => HttpResponse.json({ message: 'x' }, { status: 403 })));
    await userEvent.click(screen.getByRole('button', { name: 'Coba lagi' }));
    expect(await screen.findByText('Anda tidak memiliki akses ke halaman perangkat.')).toBeTruthy();
  });
});
