import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TrackerReplacement } from '@/api/generated';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { SAMPLE_DEVICE } from '@/testing/sampleDevice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { DeviceMeters } from './DeviceMeters';
import { metresOf } from './figures';
import { swapOf } from './swap';

setUpTestServer();

const replacement: TrackerReplacement = {
  id: 'replacement-2',
  device_id: 'device-1',
  replaced_at: '2026-11-19T03:00:00Z',
  imei_before: '351756051523999',
  imei: SAMPLE_DEVICE.imei,
  odometer_before: 12_000_000,
  odometer_after: 5_000,
  reason: 'Rusak kena air',
  created_at: '2026-11-19T03:05:00Z',
  created_by: 'sari',
  created_by_name: 'Sari',
  is_by_imei: false,
};

let replacements: TrackerReplacement[];
let sent: unknown[];
let withdrawn: string[];

beforeEach(() => {
  const unread = { odometer_before: undefined, odometer_after: undefined, reason: '', is_by_imei: true };
  const first = { ...replacement, ...unread, id: 'replacement-1', imei: replacement.imei_before };
  [replacements, sent, withdrawn] = [[replacement, first], [], []];
  server.use(
    http.get(at('/api/v1/devices/device-1/meters'), () =>
      HttpResponse.json({ odometer_source: 'device', engine_hours_source: 'computed', days: [], days_asked: 30 }),
    ),
    http.get(at('/api/v1/devices/device-1/meter-corrections'), () => HttpResponse.json({ items: [], total: 0 })),
    http.get(at('/api/v1/devices/device-1/tracker-replacements'), ({ request }) => {
      const size = Number(new URL(request.url).searchParams.get('page_size'));
      return HttpResponse.json({ items: replacements.slice(0, size), total: replacements.length });
    }),
    http.post(at('/api/v1/devices/device-1/tracker-replacements'), async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(replacement);
    }),
    http.delete(at('/api/v1/devices/device-1/tracker-replacements/:id'), ({ params }) => {
      withdrawn.push(String(params.id));
      return new HttpResponse(null, { status: 204 });
    }),
  );
});

function show(permissions = ['device:list', 'device:update']) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  renderAt(<DeviceMeters device={SAMPLE_DEVICE} />, '/devices?open=device-1', store);
}
const plain = (text: string | null | undefined) => (text ?? '').replace(/[\u00a0\u202f]/g, ' ');
const list = async () => within(await screen.findByRole('region', { name: 'Penggantian alat GPS' }));

async function openForm() {
  await userEvent.click(await screen.findByRole('button', { name: 'Ganti alat GPS' }));
  return within(await screen.findByRole('dialog', { name: /^Ganti alat GPS Truk 1$/ }));
}
async function confirm(form: Awaited<ReturnType<typeof openForm>>) {
  await userEvent.click(form.getByRole('button', { name: 'Lanjutkan' }));
  const question = within(await screen.findByRole('dialog', { name: /^Ganti alat GPS Truk 1\?$/ }));
  await userEvent.click(question.getByRole('button', { name: 'Ganti alat GPS' }));
}
const next = (form: Awaited<ReturnType<typeof openForm>>) => form.getByRole('button', { name: 'Lanjutkan' });

describe('a replaced tracker', () => {
  it('is said with its IMEI, and what both showed', async () => {
    show();
    const form = await openForm();
    expect(form.getByText(/berlanjut dari angkanya sekarang/)).toBeTruthy();
    const imei = form.getByLabelText(/^IMEI/);
    expect(imei).toHaveProperty('value', SAMPLE_DEVICE.imei);
    await userEvent.clear(imei);
    await userEvent.type(imei, '35-175605-152399-9');
    await userEvent.type(form.getByLabelText('Odometer alat GPS lama'), '12000,5');
    expect(form.getByText('Isi keduanya atau kosongkan keduanya.')).toBeTruthy();
    expect(next(form)).toHaveProperty('disabled', true);
    await userEvent.type(form.getByLabelText('Odometer alat GPS baru'), '0');
    await userEvent.type(form.getByLabelText('Jam mesin alat GPS lama'), '10');
    await userEvent.type(form.getByLabelText('Jam mesin alat GPS baru'), '1,5');
    await userEvent.type(form.getByLabelText(/^Alasan/), ' Rusak ');
    await confirm(form);
    await waitFor(() =>
      expect(sent).toEqual([
        {
          imei: '351756051523999',
          odometer_before: 12_000_500,
          odometer_after: 0,
          engine_seconds_before: 36_000,
          engine_seconds_after: 5_400,
          reason: 'Rusak',
        },
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('keeps the IMEI where it is not changed, and may have come earlier', async () => {
    show();
    const form = await openForm();
    await userEvent.click(form.getByLabelText(/^Diganti pada waktu sebelumnya/));
    expect(next(form)).toHaveProperty('disabled', true);
    await userEvent.type(form.getByLabelText(/^Jam \*/), '0.00');
    await confirm(form);
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toEqual({ reason: '', replaced_at: expect.stringMatching(/:00\.000Z$/) as string });
  });

  it('has an IMEI or an ID', async () => {
    show();
    const form = await openForm();
    const imei = form.getByLabelText(/^IMEI/);
    await userEvent.clear(imei);
    expect(next(form)).toHaveProperty('disabled', true);
    await userEvent.type(imei, '351756051523998');
    expect(form.getByText(/Digit terakhir tidak cocok/)).toBeTruthy();
    expect(next(form)).toHaveProperty('disabled', false);
    await userEvent.type(imei, '!');
    expect(form.getByText(/^15 digit \(IMEI\), atau/)).toBeTruthy();
    expect(next(form)).toHaveProperty('disabled', true);
  });

  it('is refused in the words of the server', async () => {
    server.use(
      http.post(at('/api/v1/devices/device-1/tracker-replacements'), () =>
        HttpResponse.json(
          { error: 'invalid', message: 'Periksa isian.', fields: { replaced_at: 'Sebelum penggantian terbaru.' } },
          { status: 422 },
        ),
      ),
    );
    show();
    const form = await openForm();
    await confirm(form);
    expect((await form.findByRole('alert')).textContent).toBe('Gagal mengganti alat GPS. Sebelum penggantian terbaru.');
  });

  it('is listed with who and why, and the newest is withdrawn when somebody says yes', async () => {
    show();
    const part = await list();
    expect(plain((await part.findByText(/^Odometer:/)).textContent)).toBe('Odometer: 12.000 km → 5 km');
    expect(part.getByText(`IMEI: 351756051523999 → ${SAMPLE_DEVICE.imei}`)).toBeTruthy();
    expect(part.getByText('Rusak kena air')).toBeTruthy();
    expect(part.getByText('Karena IMEI diubah')).toBeTruthy();
    expect(part.getAllByText(/^Sari, /)).toHaveLength(2);
    await userEvent.click(part.getByRole('button', { name: 'Tarik kembali' }));
    const question = within(await screen.findByRole('dialog', { name: /^Tarik kembali penggantian/ }));
    expect(withdrawn).toEqual([]);
    await userEvent.click(question.getByRole('button', { name: 'Tarik kembali' }));
    await waitFor(() => expect(withdrawn).toEqual(['replacement-2']));
  });

  it('is asked for by pages', async () => {
    replacements = Array.from({ length: 12 }, (_, number) => ({ ...replacement, id: `replacement-${number}` }));
    show();
    const part = await list();
    await waitFor(() => expect(part.getAllByRole('listitem')).toHaveLength(10));
    await userEvent.click(part.getByRole('button', { name: 'Tampilkan lebih banyak' }));
    await waitFor(() => expect(part.getAllByRole('listitem')).toHaveLength(12));
  });

  it('is not offered to who may only look', async () => {
    show(['device:list']);
    await (await list()).findByText('Rusak kena air');
    expect(screen.queryByRole('button', { name: /^(Ganti alat GPS|Tarik kembali)$/ })).toBeNull();
  });
});

it('takes what both trackers showed, or nothing', () => {
  const swap = (before: number | string, after: number | string) => swapOf([before, after], metresOf);
  expect([swap('', ''), swap(1, 0), swap(1, ''), swap('', 1), swap(-1, 0), swap('x', 1)]).toEqual([
    undefined,
    { before: 1_000, after: 0 },
    null,
    null,
    null,
    null,
  ]);
});
