import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Device } from '@/api/types';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { SAMPLE_DEVICE } from '@/testing/sampleDevice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { DeletedDevicesPage } from './DeletedDevicesPage';
import devicesResource from './devices.resource';

setUpTestServer();

const DAY_MS = 24 * 3600 * 1000;
const later = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const deletedDevice = (number: number): Device => ({
  ...SAMPLE_DEVICE,
  id: `device-${number}`,
  name: `Truk ${number}`,
  deleted_at: later(-10),
  deleted_by: 'user-7',
  erase_after: later(19.5 + number / 100),
});

let present: Device[];
let deleted: Device[];
let asked: URLSearchParams[];
const page = (items: Device[]) => HttpResponse.json({ items, total: items.length });

beforeEach(() => {
  present = [];
  deleted = [deletedDevice(1), deletedDevice(2)];
  asked = [];
  server.use(
    http.get(at('/api/v1/devices'), ({ request }) => {
      const search = new URL(request.url).searchParams;
      asked.push(search);
      return page(search.get('deleted') === 'true' ? deleted : present);
    }),
    http.get(at('/api/v1/devices/:id'), ({ params }) => {
      const device = present.find(({ id }) => id === params.id);
      return device ? HttpResponse.json(device) : new HttpResponse(null, { status: 404 });
    }),
    http.get(at('/api/v1/users'), () => HttpResponse.json({ items: [{ id: 'user-7', name: 'Budi' }], total: 1 })),
    http.get(at('/api/v1/users/:id'), () => HttpResponse.json({ id: 'user-7', name: 'Budi' })),
  );
});

function signedInStore(permissions?: string[]) {
  const store = createStore();
  const answer = loginAnswer(permissions && { permissions });
  store.dispatch(signedIn(permissions ? { ...answer, user: { ...answer.user, is_tenant_admin: false } } : answer));
  return store;
}
const show = (permissions?: string[]) =>
  renderAt(<DeletedDevicesPage />, '/devices/deleted', signedInStore(permissions));
const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement);

describe('deleted devices', () => {
  it('are listed with who deleted them, and when they are erased', async () => {
    show();
    const row = await rowOf('Truk 1');
    expect(row.getByText('20 hari lagi')).toBeTruthy();
    expect(row.getByText('B 9001 XY')).toBeTruthy();
    expect(await row.findByText('Budi')).toBeTruthy();
    expect(asked[0]?.get('sort')).toBe('-deleted_at');
  });

  it('come back one by one, and the list follows', async () => {
    server.use(
      http.post(at('/api/v1/devices/:id/restore'), ({ params }) => {
        deleted = deleted.filter(({ id }) => id !== params.id);
        return HttpResponse.json(SAMPLE_DEVICE);
      }),
    );
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Pulihkan Truk 1' }));
    expect(await screen.findByText('Perangkat berhasil dipulihkan.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('Truk 1')).toBeNull());
    expect(screen.getByText('Truk 2')).toBeTruthy();
  });

  it('say why one does not come back', async () => {
    const message = 'IMEI-nya sudah dipakai pihak lain.';
    server.use(
      http.post(at('/api/v1/devices/:id/restore'), () =>
        HttpResponse.json({ error: 'imei_bound_again', message }, { status: 409 }),
      ),
    );
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Pulihkan Truk 2' }));
    expect(await screen.findByText(`Gagal memulihkan perangkat. ${message}`)).toBeTruthy();
    expect(screen.getByText('Truk 2')).toBeTruthy();
  });

  it('are erased for good after the name was typed', async () => {
    let sent: unknown;
    server.use(
      http.post(at('/api/v1/devices/:id/erasure'), async ({ request }) => {
        sent = [request.headers.get('if-match'), await request.json()];
        deleted = [];
        return new HttpResponse(null, { status: 204 });
      }),
    );
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Hapus Truk 1 secara permanen' }));
    const question = within(await screen.findByRole('dialog', { name: 'Hapus Truk 1 secara permanen?' }));
    const confirm = question.getByRole<HTMLButtonElement>('button', { name: 'Hapus permanen' });
    expect(confirm.disabled).toBe(true);
    await userEvent.type(question.getByRole('textbox'), 'Truk 1');
    await userEvent.click(confirm);
    expect(await screen.findByText('Tidak ada perangkat yang dihapus')).toBeTruthy();
    expect(sent).toEqual([String(SAMPLE_DEVICE.row_version), { name: 'Truk 1' }]);
  });

  it('come back together as a job', async () => {
    let sent: unknown;
    const job = { id: 'job-1', service: 'fleet', resource: 'device', action: 'restore', status: 'completed' };
    server.use(
      http.post(at('/api/v1/devices/bulk'), async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ ...job, kind: 'bulk', total: 2, done: 2, failed: 0 }, { status: 202 });
      }),
    );
    show();
    for (const number of [1, 2]) {
      await userEvent.click(await screen.findByRole('checkbox', { name: `Pilih Truk ${number}` }));
    }
    await userEvent.click(screen.getByRole('button', { name: 'Pulihkan' }));
    const question = within(await screen.findByRole('dialog', { name: 'Pulihkan 2 perangkat?' }));
    await userEvent.click(question.getByRole('button', { name: 'Pulihkan' }));
    await waitFor(() => expect(sent).toEqual({ ids: ['device-1', 'device-2'], restore: {} }));
  });

  it('are shown to nobody who may not delete devices', async () => {
    show(['device:list']);
    expect(await screen.findByText('Anda tidak memiliki akses ke perangkat yang dihapus.')).toBeTruthy();
    expect(asked).toHaveLength(0);
  });
});

describe('a deletion', () => {
  it('is undone with one press', async () => {
    present = [{ ...SAMPLE_DEVICE, name: 'Truk 1' }];
    server.use(
      http.delete(at('/api/v1/devices/:id'), () => {
        [present, deleted] = [[], present];
        return new HttpResponse(null, { status: 204 });
      }),
      http.post(at('/api/v1/devices/:id/restore'), () => {
        [present, deleted] = [deleted, []];
        return HttpResponse.json(present[0]);
      }),
    );
    renderAt(<ResourceListPage resource={devicesResource} />, '/devices?open=device-1&tab=edit', signedInStore());
    await userEvent.click(await screen.findByRole('button', { name: 'Hapus' }));
    const question = within(await screen.findByRole('dialog', { name: 'Hapus Truk 1?' }));
    expect(question.getByText(/selama 30 hari/)).toBeTruthy();
    await userEvent.click(question.getByRole('button', { name: 'Hapus' }));
    expect(await screen.findByText('Belum ada perangkat')).toBeTruthy();
    const toast = within(
      (await screen.findByText('Perangkat berhasil dihapus.')).closest('[role=alert]') as HTMLElement,
    );
    await userEvent.click(toast.getByRole('button', { name: 'Urungkan' }));
    expect(await screen.findByText('Perangkat berhasil dipulihkan.')).toBeTruthy();
    expect(await screen.findByRole('checkbox', { name: 'Pilih Truk 1' })).toBeTruthy();
  });
});
