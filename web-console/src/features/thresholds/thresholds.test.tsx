import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { i18n } from '@/i18n/i18n';
import { LANGUAGES } from '@/i18n/languages';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer, tokenWith } from '@/testing/tokens';
import { ThresholdsPage } from './ThresholdsPage';

setUpTestServer();

const DEFAULTS = {
  moving_speed: 3,
  stop_seconds: 300,
  min_trip_distance: 200,
  min_trip_seconds: 60,
  idle_seconds: 120,
  idle_alert_seconds: 600,
  gap_seconds: 3600,
  stale_seconds: 300,
  offline_seconds: 600,
  tow_distance: 150,
};
const of = (change: object = {}) => ({
  tenant_id: 'tenant-1',
  ...DEFAULTS,
  row_version: 0,
  defaults: DEFAULTS,
  ...change,
});
const MAY = ['threshold:list', 'threshold:update'];

let present: object;
let asked: URLSearchParams[];
let sent: { version: string | null; body: object }[];

beforeEach(() => {
  present = of();
  asked = [];
  sent = [];
  server.use(
    http.get(at('/api/v1/thresholds'), ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json(present);
    }),
    http.put(at('/api/v1/thresholds'), async ({ request }) => {
      const body = (await request.json()) as object;
      sent.push({ version: request.headers.get('if-match'), body });
      present = of({ ...body, row_version: sent.length });
      return HttpResponse.json(present);
    }),
    http.get(at('/api/v1/tenants'), () => HttpResponse.json({ items: [{ id: 'tenant-2', name: 'Acme' }], total: 1 })),
  );
});

function show(permissions: string[] = MAY, path = '/thresholds') {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  return renderAt(<ThresholdsPage />, path, store);
}

const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const save = () => userEvent.click(screen.getByRole('button', { name: 'Simpan ambang batas' }));

async function retype(label: string, text: string) {
  await userEvent.clear(await field(label));
  await userEvent.paste(text);
}

describe('the thresholds', () => {
  it('are shown with what is usual, and only what was changed is sent, with the version that was seen', async () => {
    show();
    expect((await field('Batas berhenti')).value).toBe('5');
    const groups = ['Gerak & perjalanan', 'Berhenti & idle', 'Koneksi'];
    expect(groups.map((name) => within(screen.getByRole('group', { name })).getAllByRole('textbox').length)).toEqual([
      4, 3, 3,
    ]);
    expect(screen.queryByText(/^Bawaan/)).toBeNull();
    await retype('Kecepatan bergerak', '5');
    expect(screen.getByText('Bawaan: 3 km/jam')).toBeTruthy();
    await save();
    await waitFor(() => expect(sent).toEqual([{ version: '0', body: { tenant_id: 'tenant-1', moving_speed: 5 } }]));
    expect(await screen.findByText('Ambang batas disimpan.')).toBeTruthy();
    await retype('Batas berhenti', '1,5');
    await save();
    await waitFor(() => expect(sent[1]).toEqual({ version: '1', body: { tenant_id: 'tenant-1', stop_seconds: 90 } }));
  });

  it('lead back to what is usual, each by itself', async () => {
    present = of({ moving_speed: 5, gap_seconds: 7200, row_version: 4 });
    show();
    const back = await screen.findByRole('button', { name: 'Kembalikan ke bawaan: Kecepatan bergerak' });
    expect(screen.getAllByRole('button', { name: /^Kembalikan ke bawaan/ })).toHaveLength(2);
    await userEvent.click(back);
    expect((await field('Kecepatan bergerak')).value).toBe('3');
    expect(screen.getAllByRole('button', { name: /^Kembalikan ke bawaan/ })).toHaveLength(1);
    await save();
    await waitFor(() => expect(sent).toEqual([{ version: '4', body: { tenant_id: 'tenant-1', moving_speed: 3 } }]));
  });

  it('are not sent when they make no sense', async () => {
    show();
    await retype('Kecepatan bergerak', '31');
    await retype('Batas offline', '3');
    await userEvent.clear(await field('Batas jeda data'));
    await save();
    expect((await screen.findAllByText(/dari 1 sampai 30/)).length).toBeGreaterThan(0);
    expect(screen.getAllByText(/dari 10 sampai 1\.440/).length).toBeGreaterThan(0);
    expect(screen.getAllByText(/Tidak boleh lebih singkat dari batas posisi kedaluwarsa/).length).toBeGreaterThan(0);
    expect(sent).toEqual([]);
  });

  it('say at its field what the server has against one', async () => {
    server.use(
      http.put(at('/api/v1/thresholds'), () =>
        HttpResponse.json(
          { error: 'invalid', message: 'Ditolak.', fields: { stale_seconds: 'Terlalu lama.' } },
          { status: 422 },
        ),
      ),
    );
    show();
    await retype('Batas posisi kedaluwarsa', '7');
    await save();
    expect((await screen.findAllByText('Terlalu lama.')).length).toBeGreaterThan(0);
    expect((await field('Batas posisi kedaluwarsa')).value).toBe('7');
  });

  it('are merged with what somebody else has changed meanwhile', async () => {
    show();
    await retype('Kecepatan bergerak', '5');
    server.use(
      http.put(
        at('/api/v1/thresholds'),
        () => {
          present = of({ stop_seconds: 900, row_version: 8 });
          return HttpResponse.json({ error: 'version_mismatch', message: 'x' }, { status: 412 });
        },
        { once: true },
      ),
    );
    await save();
    const merge = within(await screen.findByRole('dialog', { name: 'Sudah diubah oleh orang lain' }));
    expect(merge.getByRole('radio', { name: /Versi mereka: 15/ })).toBeTruthy();
    await userEvent.click(merge.getByRole('button', { name: 'Gabungkan' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect((await field('Batas berhenti')).value).toBe('15');
    await save();
    await waitFor(() => expect(sent).toEqual([{ version: '8', body: { tenant_id: 'tenant-1', moving_speed: 5 } }]));
  });

  it('are only read by who may not change them', async () => {
    show(['threshold:list']);
    expect((await field('Batas berhenti')).readOnly).toBe(true);
    expect(screen.queryByRole('button', { name: 'Simpan ambang batas' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Kembalikan/ })).toBeNull();
  });

  it('are for those alone who may see them', async () => {
    show(['device:list']);
    expect(await screen.findByText('Anda tidak memiliki akses ke ambang batas.')).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it('are those of the tenant that a platform owner chooses', async () => {
    const store = createStore();
    const answer = loginAnswer({ permissions: MAY });
    const token = tokenWith({ sub: 'owner', is_platform_owner: true, exp: Math.floor(Date.now() / 1000) + 600 });
    const user = { ...answer.user, tenant_id: undefined, is_platform_owner: true, is_tenant_admin: false };
    store.dispatch(signedIn({ token, user }));
    const { router } = renderAt(<ThresholdsPage />, '/thresholds', store);
    expect(await screen.findByText('Pilih tenant untuk melihat ambang batasnya.')).toBeTruthy();
    expect(asked).toEqual([]);
    await router.navigate('/thresholds?tenant_id=tenant-2');
    expect((await field('Batas berhenti')).value).toBe('5');
    expect(asked.map((search) => search.get('tenant_id'))).toEqual(['tenant-2']);
  });

  it('have words in every language', async () => {
    try {
      for (const language of LANGUAGES) {
        await i18n.changeLanguage(language);
        const { unmount } = show();
        await waitFor(() => expect(screen.getAllByRole('textbox')).toHaveLength(10));
        expect(document.body.textContent).not.toMatch(/\b(field|help|group|unit|validation)\.[a-z_]+/);
        unmount();
      }
    } finally {
      await i18n.changeLanguage('id');
    }
  });
});
