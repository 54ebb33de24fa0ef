import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DeviceMeters as Meters, MeterCorrection } from '@/api/generated';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { SAMPLE_DEVICE } from '@/testing/sampleDevice';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { DeviceMeters } from './DeviceMeters';
import { metresOf, momentOf, readFrom, secondsOf } from './figures';

setUpTestServer();

const day = (number: number, distance: number) => ({
  day: `2026-11-${String(number).padStart(2, '0')}`,
  distance,
  engine_seconds: 3_600,
  idle_seconds: 900,
  odometer: 0,
  recorded_at: '2026-11-20T10:00:00Z',
});

const meters: Meters = {
  odometer: 12_430_000,
  odometer_source: 'device',
  engine_seconds: 4_320_000,
  engine_hours_source: 'computed',
  recorded_at: '2026-11-20T10:00:00Z',
  device_odometer: 12_430_000,
  computed_odometer: 500,
  computed_engine_seconds: 4_320_000,
  days: [{ ...day(20, 80_000), trips: 3 }, ...[19, 18, 17, 16, 15, 14, 13, 12].map((number) => day(number, 80_000))],
  days_asked: 30,
  average_distance: 80_000,
  average_engine_seconds: 3_600,
};

const correction: MeterCorrection = {
  id: 'correction-2',
  device_id: 'device-1',
  effective_from: '2026-11-19T03:00:00Z',
  odometer: 12_000_000,
  odometer_before: 9_000,
  reason: 'Speedometer diganti',
  created_at: '2026-11-19T03:05:00Z',
  created_by: 'sari',
  created_by_name: 'Sari',
  is_newest: true,
};

let found: Meters;
let corrections: MeterCorrection[];
let sent: unknown[];
let undone: string[];

beforeEach(() => {
  [found, corrections, sent, undone] = [
    meters,
    [correction, { ...correction, id: 'correction-1', reason: 'Pertama', is_newest: false }],
    [],
    [],
  ];
  server.use(
    http.get(at('/api/v1/devices/device-1/meters'), () => HttpResponse.json(found)),
    http.get(at('/api/v1/devices/device-1/meter-corrections'), () =>
      HttpResponse.json({ items: corrections, total: corrections.length }),
    ),
    http.get(at('/api/v1/devices/device-1/tracker-replacements'), () => HttpResponse.json({ items: [], total: 0 })),
    http.post(at('/api/v1/devices/device-1/meter-corrections'), async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(correction);
    }),
    http.delete(at('/api/v1/devices/device-1/meter-corrections/:id'), ({ params }) => {
      undone.push(String(params.id));
      return new HttpResponse(null, { status: 204 });
    }),
  );
});

function show(permissions = ['device:list', 'device:correct_meters']) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  renderAt(<DeviceMeters device={SAMPLE_DEVICE} />, '/devices?open=device-1', store);
}
const part = async (name: string | RegExp) => within(await screen.findByRole('region', { name }));
const plain = (text: string | null | undefined) => (text ?? '').replace(/[\u00a0\u202f]/g, ' ');

describe('what the meters of a device show', () => {
  it('is told with its source', async () => {
    show();
    const odometer = await part('Odometer');
    expect(plain(odometer.getByText(/km/).textContent)).toBe('12.430 km');
    expect(odometer.getByText(/^Dari perangkat/)).toBeTruthy();
    const engine = await part('Jam mesin');
    expect(plain(engine.getByText(/\d jam/).textContent)).toBe('1.200 jam');
    expect(engine.getByText(/^Dihitung/)).toBeTruthy();
  });

  it('is unknown of a vehicle that has told nothing', async () => {
    found = { odometer_source: 'device', engine_hours_source: 'computed', days: [], days_asked: 30 };
    show();
    expect((await part('Odometer')).getByText('Belum diketahui')).toBeTruthy();
    expect(screen.getByText(/^Dihitung: perangkat tidak melaporkannya/)).toBeTruthy();
    expect(screen.getByText('Hari-hari ini belum ada datanya.')).toBeTruthy();
  });

  it('goes back day by day', async () => {
    show();
    const days = await part('30 hari terakhir');
    expect(days.getAllByRole('row')).toHaveLength(8);
    expect(plain(days.getAllByRole('row')[1]?.textContent)).toMatch(/80 km1 jam0,3 jam$/);
    await userEvent.click(days.getByRole('button', { name: 'Tampilkan semua hari' }));
    expect(days.getAllByRole('row')).toHaveLength(10);
    expect(days.getByText('3 perjalanan')).toBeTruthy();
    expect(plain(days.getByText(/^Rata-rata/).textContent)).toBe('Rata-rata 80 km dan 1 jam per hari');
  });
});

describe('a correction', () => {
  it('is previewed, asked about, and sent', async () => {
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Koreksi' }));
    const form = within(await screen.findByRole('dialog', { name: /^Koreksi odometer/ }));
    expect(form.getByRole('button', { name: 'Lanjutkan' })).toHaveProperty('disabled', true);
    await userEvent.type(form.getByLabelText('Odometer'), '12500,5');
    await userEvent.type(form.getByLabelText(/^Alasan/), 'Dibaca di bengkel');
    expect(plain(form.getByRole('status').textContent)).toBe('Odometer: 12.430 km → 12.501 km');
    await userEvent.click(form.getByRole('button', { name: 'Lanjutkan' }));
    const question = within(await screen.findByRole('dialog', { name: /^Koreksi odometer.*\?$/ }));
    expect(plain(question.getByRole('status').textContent)).toBe('Odometer: 12.430 km → 12.501 km');
    expect(sent).toEqual([]);
    await userEvent.click(question.getByRole('button', { name: 'Koreksi' }));
    await waitFor(() => expect(sent).toEqual([{ odometer: 12_500_500, reason: 'Dibaca di bengkel' }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('may begin earlier, at a time of the tenant', async () => {
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Koreksi' }));
    const form = within(await screen.findByRole('dialog', { name: /^Koreksi odometer/ }));
    await userEvent.type(form.getByLabelText('Jam mesin'), '10');
    await userEvent.type(form.getByLabelText(/^Alasan/), 'x');
    await userEvent.click(form.getByLabelText(/^Dibaca pada waktu sebelumnya/));
    await userEvent.type(form.getByLabelText(/^Jam \*/), '25.00');
    expect(form.getByText('Tulis jam seperti 14.30.')).toBeTruthy();
    expect(form.getByRole('button', { name: 'Lanjutkan' })).toHaveProperty('disabled', true);
    await userEvent.clear(form.getByLabelText(/^Jam \*/));
    await userEvent.type(form.getByLabelText(/^Jam \*/), '0.00');
    expect(plain(form.getByRole('status').textContent)).toMatch(/^Jam mesin: 10 jamBerlaku sejak .* 00\.00\.00 /);
    await userEvent.click(form.getByRole('button', { name: 'Lanjutkan' }));
    const question = within(await screen.findByRole('dialog', { name: /\?$/ }));
    await userEvent.click(question.getByRole('button', { name: 'Koreksi' }));
    await waitFor(() =>
      expect(sent).toMatchObject([
        { engine_seconds: 36_000, effective_from: expect.stringMatching(/:00\.000Z$/) as string },
      ]),
    );
  });

  it('says in its dialog why it was refused', async () => {
    server.use(
      http.post(at('/api/v1/devices/device-1/meter-corrections'), () =>
        HttpResponse.json(
          { error: 'invalid', message: 'Periksa isian.', fields: { effective_from: 'Sebelum koreksi terbaru.' } },
          { status: 422 },
        ),
      ),
    );
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Koreksi' }));
    const form = within(await screen.findByRole('dialog', { name: /^Koreksi odometer/ }));
    await userEvent.type(form.getByLabelText('Jam mesin'), '10');
    await userEvent.type(form.getByLabelText(/^Alasan/), 'x');
    await userEvent.click(form.getByRole('button', { name: 'Lanjutkan' }));
    const question = within(await screen.findByRole('dialog', { name: /\?$/ }));
    await userEvent.click(question.getByRole('button', { name: 'Koreksi' }));
    expect((await form.findByRole('alert')).textContent).toContain('Gagal mengoreksi');
    expect(form.getByRole('alert').textContent).toContain('Sebelum koreksi terbaru.');
  });

  it('is listed with who and why, and the newest is taken back when somebody says yes', async () => {
    show();
    const list = await part('Koreksi');
    expect(plain((await list.findAllByText(/→/))[0]?.textContent)).toBe('Odometer: 9 km → 12.000 km');
    expect(list.getByText('Speedometer diganti')).toBeTruthy();
    expect(list.getAllByText(/^Sari, /)).toHaveLength(2);
    await userEvent.click(list.getByRole('button', { name: 'Urungkan' }));
    const question = within(await screen.findByRole('dialog', { name: /^Urungkan koreksi terbaru/ }));
    await userEvent.click(question.getByRole('button', { name: 'Urungkan' }));
    await waitFor(() => expect(undone).toEqual(['correction-2']));
  });

  it('is not offered to who may only look', async () => {
    show(['device:list']);
    const list = await part('Koreksi');
    await list.findByText('Pertama');
    expect(screen.queryByRole('button', { name: /^(Koreksi|Urungkan)$/ })).toBeNull();
  });
});

describe('figures', () => {
  it.each([
    ['12500,5', null],
    [12_500.5, 12_500_500],
    ['', null],
    [0, 0],
    [-1, null],
    ['1.5', null],
  ])('takes %j for %j metres', (typed, metres) => expect(metresOf(typed)).toBe(metres));

  it('takes hours for seconds', () => expect(secondsOf(1.5)).toBe(5_400));

  it('says from what a meter is read', () => {
    expect([readFrom('device', true), readFrom('device', false), readFrom('computed', true)]).toEqual([
      'device',
      'fallback',
      'computed',
    ]);
  });

  it('finds the moment of a clock', () => {
    const midnight = new Date('2026-11-20T17:00:00Z');
    expect(momentOf(midnight, '14:30')?.toISOString()).toBe('2026-11-21T07:30:00.000Z');
    expect(momentOf(midnight, '9.05')?.toISOString()).toBe('2026-11-21T02:05:00.000Z');
    for (const clock of ['', 'x', '24:00', '12:60', '1430']) expect(momentOf(midnight, clock)).toBeUndefined();
    expect(momentOf(undefined, '14:30')).toBeUndefined();
  });
});
