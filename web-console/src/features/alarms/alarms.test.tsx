import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Alarm } from '@/api/generated';
import { AlarmBell } from '@/app/shell/alarms/AlarmBell';
import { AlarmWatch } from '@/app/shell/alarms/AlarmWatch';
import { UrgentAlarm } from '@/app/shell/alarms/UrgentAlarm';
import { Sidebar } from '@/app/shell/Sidebar';
import { connectionChanged } from '@/live/connectionSlice';
import { live, type ServerMessage } from '@/live/live';
import { useEventUpdates } from '@/live/useEventUpdates';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import alarms from './alarms.resource';

setUpTestServer();

const sos: Alarm = {
  id: 'alarm-1',
  tenant_id: 'tenant-1',
  device_id: 'device-1',
  device_name: 'Truk 2',
  kind: 'alarm.sos',
  severity: 'critical',
  state: 'open',
  first_at: '2026-11-21T10:00:00Z',
  last_at: '2026-11-21T10:04:00Z',
  count: 3,
  lat: -6.20314,
  lng: 106.85525,
  note: '',
  first_event_id: 'event-1',
  last_event_id: 'event-3',
  row_version: 3,
};
const seen: Alarm = {
  ...sos,
  id: 'alarm-2',
  kind: 'device.power_cut',
  state: 'acknowledged',
  acknowledged_at: '2026-11-21T10:12:00Z',
  acknowledged_by: 'user-7',
  reaction_seconds: 720,
  note: 'Aki diganti.',
};

let items: Alarm[];
let asked: URLSearchParams[];
let sent: unknown[];
beforeEach(() => {
  [items, asked, sent] = [[sos, seen], [], []];
  server.use(
    http.get(at('/api/v1/alarms'), ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      const severity = new URL(request.url).searchParams.getAll('severity');
      const found = items.filter((item) => severity.length === 0 || severity.includes(item.severity));
      return HttpResponse.json({ items: found, total: found.length });
    }),
    http.get(at('/api/v1/alarms/:id'), ({ params }) => HttpResponse.json(items.find(({ id }) => id === params.id))),
    http.post(at('/api/v1/alarms/acknowledge'), async ({ request }) => {
      const act = (await request.json()) as { ids: string[] };
      sent.push(act);
      items = items.map((item) => (act.ids.includes(item.id) ? { ...item, state: 'acknowledged' } : item));
      return HttpResponse.json({ items: [] });
    }),
    http.get(at('/api/v1/devices/:id'), () => HttpResponse.json({ id: 'device-1', name: 'Truk 2' })),
    http.get(at('/api/v1/users'), () => HttpResponse.json({ items: [{ id: 'user-7', name: 'Budi' }], total: 1 })),
  );
});

const RIGHTS = ['alarm:list', 'alarm:acknowledge', 'device:list', 'user:list', 'position:live', 'position:history'];

function store(permissions = RIGHTS) {
  const created = createStore();
  created.dispatch(signedIn(loginAnswer({ permissions })));
  return created;
}
const show = (path = '/alarms', permissions?: string[]) =>
  renderAt(<ResourceListPage resource={alarms} />, path, store(permissions));
const rowOf = async (name: RegExp) => within(await screen.findByRole('row', { name }));

describe('the list of alarms', () => {
  it('begins with what stands; who has seen to the others, and how long that took, is on a tab behind', async () => {
    show();
    const openRow = await rowOf(/Tombol SOS/);
    expect(openRow.getByText('Kritis')).toBeTruthy();
    expect(asked[0]?.getAll('state')).toEqual(['open']);
    expect(asked[0]?.get('sort')).toBe('-last_at');
    await userEvent.click(screen.getByRole('tab', { name: 'Sudah ditanggapi' }));
    const done = await rowOf(/Kabel power GPS terputus/);
    expect(done.getByText('12 mnt')).toBeTruthy();
    expect(await done.findByText('Budi')).toBeTruthy();
    expect(asked.at(-1)?.getAll('state')).toEqual(['acknowledged']);
  });

  it('is narrowed by the address, as tiles and cards lead to it', async () => {
    show('/alarms?state=open&severity=critical&kind=device.power_cut&device_id=device-1&from=2026-11-21&to=2026-11-21');
    await rowOf(/Tombol SOS/);
    const call = asked.at(-1);
    expect(['state', 'severity', 'kind', 'device_id'].map((name) => call?.getAll(name))).toEqual([
      ['open'],
      ['critical'],
      ['device.power_cut'],
      ['device-1'],
    ]);
    expect([call?.get('from'), call?.get('to')]).toEqual(['2026-11-20T17:00:00.000Z', '2026-11-21T17:00:00.000Z']);
  });

  it('is searched by vehicles, which another list finds; what finds none is looked for in the notes', async () => {
    const found = [{ id: 'device-1', name: 'Truk 2' }];
    server.use(
      http.get(at('/api/v1/devices'), ({ request }) => {
        const matching = new URL(request.url).searchParams.get('q') === 'truk' ? found : [];
        return HttpResponse.json({ items: matching, total: matching.length });
      }),
    );
    show('/alarms?q=truk');
    await waitFor(() => expect(asked.at(-1)?.getAll('device_id')).toEqual(['device-1']));
    expect(asked.at(-1)?.get('q')).toBeFalsy();
    cleanup();
    show('/alarms?q=aki');
    await waitFor(() => expect(asked.at(-1)?.get('q')).toBe('aki'));
    expect(asked.at(-1)?.getAll('device_id')).toEqual([]);
  });

  it('has the chosen ones acknowledged, with one note for all of them', async () => {
    show();
    for (const name of ['Tombol SOS, Truk 2', 'Kabel power GPS terputus, Truk 2'])
      await userEvent.click(await screen.findByRole('checkbox', { name: `Pilih ${name}` }));
    await userEvent.click(screen.getByRole('button', { name: 'Tanggapi' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Tanggapi 2 alarm?' }));
    expect(dialog.getByText('Truk 2')).toBeTruthy();
    await userEvent.type(dialog.getByLabelText('Catatan (opsional)'), 'Latihan');
    await userEvent.click(dialog.getByRole('button', { name: 'Tanggapi' }));
    await waitFor(() => expect(sent).toEqual([{ ids: ['alarm-1', 'alarm-2'], note: 'Latihan' }]));
    await waitFor(() => expect(screen.queryByText('2 dipilih')).toBeNull());
  });

  it('shows an alarm with whom to call, the ways from it, and what acknowledges it at once', async () => {
    server.use(
      http.get(at('/api/v1/devices/:id'), () =>
        HttpResponse.json({
          name: 'Truk 2',
          vehicle_code: 'B 1 KCD',
          primary_driver: 'Agus',
          primary_driver_id: 'd-1',
        }),
      ),
      http.get(at('/api/v1/drivers/:id'), () => HttpResponse.json({ name: 'Agus', phone: '+62 812-0000-1' })),
    );
    show('/alarms?open=alarm-1', [...RIGHTS, 'driver:list']);
    const shown = within(await screen.findByRole('dialog', { name: 'Tombol SOS, Truk 2' }));
    const href = (name: string) => shown.getByRole('link', { name }).getAttribute('href');
    expect(await shown.findByText('B 1 KCD')).toBeTruthy();
    await waitFor(() => expect(href('Telepon Agus · +62 812-0000-1')).toBe('tel:+6281200001'));
    expect(href('Tampilkan di peta')).toBe('/maps?device_id=device-1');
    expect(href('Lihat di riwayat')).toContain('at=2026-11-21T10%3A04%3A00Z');
    expect(shown.queryByRole('link', { name: 'Kejadian terkait' })).toBeNull();
    await userEvent.type(shown.getByLabelText('Catatan (opsional)'), 'Sopir aman');
    await userEvent.click(shown.getByRole('button', { name: 'Tanggapi: Tombol SOS, Truk 2' }));
    await waitFor(() => expect(sent).toEqual([{ ids: ['alarm-1'], note: 'Sopir aman' }]));
    await waitFor(() => expect(shown.queryByRole('button', { name: /^Tandai/ })).toBeNull());
  });

  it('says so of a call from nobody knows where', async () => {
    items = [{ ...sos, lat: undefined, lng: undefined }];
    show('/alarms?open=alarm-1');
    const shown = within(await screen.findByRole('dialog', { name: 'Tombol SOS, Truk 2' }));
    expect(await shown.findByText('Tempat tidak diketahui')).toBeTruthy();
  });

  it('is only read by who may not acknowledge', async () => {
    show('/alarms?open=alarm-1', ['alarm:list']);
    const shown = within(await screen.findByRole('dialog', { name: 'Tombol SOS, Truk 2' }));
    expect(await shown.findByText(/^Belum ditanggapi/)).toBeTruthy();
    expect(shown.queryByRole('button', { name: /^Tandai/ })).toBeNull();
    expect(screen.queryByRole('checkbox', { hidden: true })).toBeNull();
  });
});

describe('an alarm that is raised', () => {
  let emit: ((message: ServerMessage) => void) | undefined;
  const Shell = () => {
    useEventUpdates();
    return (
      <>
        <Sidebar compact={false} />
        <AlarmBell />
        <UrgentAlarm />
        <AlarmWatch />
      </>
    );
  };
  const door: Alarm = { ...sos, id: 'alarm-3', kind: 'alarm.door', severity: 'warning', device_name: 'Truk 3' };
  const told = () => screen.getByTestId('alarm-announcer').textContent;
  const showShell = (permissions = ['alarm:list', 'alarm:acknowledge']) => {
    vi.spyOn(live, 'onMessage').mockImplementation((type, listener) => {
      if (type === 'events_changed') emit = listener;
      return () => undefined;
    });
    const started = store(permissions);
    renderAt(<Shell />, '/devices', started);
    return started;
  };

  it('is counted in sidebar, bell and title, stands in a bar, and is said once', async () => {
    items = [door];
    showShell();
    const link = () => screen.findByRole('link', { name: 'Alarm 1 alarm belum ditanggapi' });
    expect((await link()).getAttribute('href')).toBe('/alarms');
    expect(await screen.findByRole('button', { name: '1 alarm belum ditanggapi' })).toBeTruthy();
    expect(document.title).toMatch(/^\(1\) /);
    expect(told()).toBe('');
    items = [sos, door];
    act(() => emit?.({ type: 'events_changed' }));
    await waitFor(() => expect(told()).toBe('Alarm baru: Tombol SOS, Truk 2'));
    const bar = within(await screen.findByRole('region', { name: 'Alarm paling mendesak' }));
    expect(bar.getByRole('link', { name: /^Tombol SOS\s*·\s*Truk 2/ }).getAttribute('href')).toBe(
      '/alarms?open=alarm-1',
    );
    expect(bar.getByRole('link', { name: '1 alarm lain' })).toBeTruthy();
    items = [];
    act(() => emit?.({ type: 'events_changed' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Alarm paling mendesak' })).toBeNull());
    expect(document.title).not.toMatch(/^\(/);
    expect(asked.every((search) => search.get('state') === 'open')).toBe(true);
  });

  it('is heard of when the socket is back, however long ago it was raised', async () => {
    items = [];
    const { dispatch } = showShell();
    await screen.findByRole('button', { name: 'Tidak ada alarm yang belum ditanggapi' });
    act(() => void dispatch(connectionChanged({ state: 'reconnecting', problem: null })));
    items = [door, sos];
    act(() => void dispatch(connectionChanged({ state: 'connected', problem: null })));
    await waitFor(() => expect(told()).toContain('Alarm baru: Tombol SOS, Truk 2'));
    expect(told()).toContain('Alarm baru: Pintu dibuka, Truk 3');
  });

  it('is acknowledged from the bell, in a question that names the vehicle and stays with it', async () => {
    items = [door];
    showShell();
    await userEvent.click(await screen.findByRole('button', { name: '1 alarm belum ditanggapi' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Tanggapi: Pintu dibuka, Truk 3' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Tanggapi Pintu dibuka, Truk 3?' }));
    items = [sos, door];
    act(() => emit?.({ type: 'events_changed' }));
    await waitFor(() => expect(told()).toContain('Tombol SOS'));
    await userEvent.click(dialog.getByRole('button', { name: 'Tanggapi' }));
    await waitFor(() => expect(sent).toEqual([{ ids: ['alarm-3'], note: '' }]));
  });
});
