import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Alarm } from '@/api/generated';
import { live } from '@/live/live';
import type { LivePosition } from '@/live/position';
import type { LiveDevice } from '@/live/liveDevice';
import { vehicleState } from '@/live/vehicleState';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { VehicleCard } from './VehicleCard';

setUpTestServer();

const NOW = Date.now();
const MINUTE = 60_000;
const NO_TRACK = { shown: false, loading: false, error: undefined, points: 0, lines: [], toggle: () => undefined };

const STANDING: Partial<LiveDevice> = { alarms: [{ kind: 'alarm.sos', since: NOW - 130 * MINUTE }] };
const SOS: Alarm = {
  id: 'alarm-1',
  tenant_id: 'tenant-1',
  device_id: 'v1',
  device_name: 'Truk Utara',
  kind: 'alarm.sos',
  severity: 'critical',
  state: 'open',
  first_at: new Date(NOW - 130 * MINUTE).toISOString(),
  last_at: new Date(NOW - 126 * MINUTE).toISOString(),
  count: 3,
  note: '',
  first_event_id: 'alarm-1',
  last_event_id: 'event-3',
  row_version: 3,
};

/** The card of a vehicle that was moving when its fix was taken, so many minutes ago. */
function showCard(
  minutes: number,
  change: Partial<LivePosition> = {},
  permissions: string[] = ['position:live'],
  ofDevice: Partial<LiveDevice> = {},
) {
  const position: LivePosition = {
    deviceId: 'v1',
    recordedAt: NOW - minutes * MINUTE,
    lat: -6.203_142,
    lng: 106.855_251,
    speed: 43,
    course: 90,
    motion: 'moving',
    motionSince: NOW - 40 * 24 * 60 * MINUTE,
    ignition: true,
    alarm: null,
    battery: null,
    charging: null,
    satellites: null,
    odometer: null,
    fuelPercent: null,
    ...change,
  };
  vi.spyOn(live, 'device').mockReturnValue({
    id: 'v1',
    imei: '490154203237518',
    name: 'Truk Utara',
    vehicleCode: '',
    driver: '',
    iconType: 'truck',
    inactive: false,
    state: vehicleState(position, NOW),
    position,
    ...ofDevice,
  });
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  const nothing = () => undefined;
  renderAt(
    <VehicleCard deviceId="v1" track={NO_TRACK} following={false} onFollow={nothing} onClose={nothing} />,
    '/maps',
    store,
  );
}

const fact = (name: string) => screen.queryByText(name, { selector: 'dt' })?.nextElementSibling?.textContent ?? null;

afterEach(() => void vi.restoreAllMocks());

describe('the card of a vehicle', () => {
  it('says what a fresh fix says', () => {
    showCard(4);
    expect(fact('Status')).toMatch(/^Bergerak, /);
    expect(fact('Kecepatan')).toBe('43 km/jam');
    expect(fact('Kontak')).toBe('ON');
  });

  it('says of a stale one since when there is no news, and claims neither speed nor ignition', () => {
    showCard(7.5);
    expect(fact('Status')).toBe('Tidak update, 7 mnt');
    expect(fact('Kecepatan')).toBeNull();
    expect(fact('Kontak')).toBeNull();
  });

  it('says of one that is offline since when', () => {
    showCard(125.5);
    expect(fact('Status')).toBe('Offline, 2 jam 5 mnt');
    expect(fact('Kecepatan')).toBeNull();
  });

  it('names an alarm, and what the vehicle does meanwhile', () => {
    showCard(1, { alarm: 'sos' });
    expect(fact('Alarm')).toBe('Tombol SOS');
    expect(fact('Status')).toMatch(/^Bergerak, /);
    expect(fact('Kecepatan')).toBe('43 km/jam');
  });

  it('keeps an alarm that stands, silent as the vehicle is, until somebody acknowledges it', async () => {
    const sent: unknown[] = [];
    server.use(
      http.get(at('/api/v1/alarms'), () => HttpResponse.json({ items: [SOS], total: 1 })),
      http.post(at('/api/v1/alarms/acknowledge'), async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ items: [] });
      }),
    );
    showCard(125.5, {}, ['position:live', 'alarm:list', 'alarm:acknowledge'], STANDING);
    const alarms = within(await screen.findByRole('region', { name: 'Alarm yang belum ditanggapi' }));
    expect(alarms.getByText('Tombol SOS')).toBeTruthy();
    expect(await alarms.findByText(/3 kali/)).toBeTruthy();
    expect(fact('Status')).toBe('Offline, 2 jam 5 mnt');
    await userEvent.click(alarms.getByRole('button', { name: 'Tanggapi: Tombol SOS' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Truk Utara/ }));
    await userEvent.type(dialog.getByLabelText('Catatan (opsional)'), ' Sopir aman ');
    await userEvent.click(dialog.getByRole('button', { name: 'Tanggapi' }));
    await waitFor(() => expect(sent).toEqual([{ ids: ['alarm-1'], note: 'Sopir aman' }]));
  });

  it('tells who may not see alarms that one stands, and asks nothing of it', async () => {
    showCard(1, {}, undefined, STANDING);
    const alarms = within(await screen.findByRole('region', { name: 'Alarm yang belum ditanggapi' }));
    expect(alarms.getByText('Tombol SOS')).toBeTruthy();
    expect(alarms.queryByRole('button')).toBeNull();
    expect(alarms.queryByRole('link')).toBeNull();
  });

  it('shows an alarm that it has no word for as the tracker names it', () => {
    showCard(1, { alarm: 'lid_7' });
    expect(fact('Alarm')).toBe('lid_7');
  });

  it('writes coordinates as map programs take them, whatever the language', () => {
    showCard(1);
    expect(fact('Koordinat')).toContain('-6.20314, 106.85525');
  });

  it('tells what the vehicle has come to today, and nothing of it before that is known', () => {
    const today = {
      until: NOW + 60 * MINUTE,
      distance: 12_400,
      engine: 3_600,
      moving: 1_800,
      idle: 900,
      parked: 7_200,
    };
    showCard(1, { today });
    expect(fact('Jarak tempuh hari ini')).toBe('12,4 km');
    expect(fact('Mesin hidup hari ini')).toMatch(/^1 jam/);
    expect(fact('Bergerak hari ini')).toMatch(/^30 m/);
    expect(fact('Idle hari ini')).toMatch(/^15 m/);
    expect(fact('Parkir hari ini')).toMatch(/^2 jam/);
    cleanup();
    showCard(1);
    expect(fact('Jarak tempuh hari ini')).toBeNull();
  });

  it('tells what is in the tank, in what is known of it', () => {
    showCard(1, { fuelLitres: 142.3, fuelPercent: 71 });
    expect(fact('BBM')).toBe('142 L (71 %)');
    cleanup();
    showCard(1, { fuelLitres: 1_142.3 });
    expect(fact('BBM')).toBe('1.142 L');
    cleanup();
    showCard(1, { fuelPercent: 71 });
    expect(fact('BBM')).toBe('71 %');
    cleanup();
    showCard(1);
    expect(fact('BBM')).toBeNull();
  });

  it('says at which address a vehicle stands', async () => {
    const items = [{ lat: -6.2031, lng: 106.8553, address: 'Jalan Tebet Raya, Jakarta', pending: false }];
    server.use(http.post(at('/api/v1/addresses'), () => HttpResponse.json({ items, configured: true })));
    showCard(4, { motion: 'parked', speed: 0 });
    await screen.findByText('Jalan Tebet Raya, Jakarta');
    expect(fact('Alamat')).toBe('Jalan Tebet Raya, Jakarta');
  });

  it('has the keyboard at its menu when what that opened comes and goes', async () => {
    showCard(1, {}, ['position:live', 'device:list']);
    const menu = () => screen.getByRole('button', { name: 'Tindakan lain untuk Truk Utara' });
    await userEvent.click(menu());
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Buka perangkat' }));
    // Whatever opens next takes it for what it goes back to.
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    expect(document.activeElement).toBe(menu());
  });

  it('offers acts to who may do them, and no menu to who may do none', () => {
    showCard(1);
    expect(screen.queryByRole('button', { name: /Tindakan lain/ })).toBeNull();
  });
});
