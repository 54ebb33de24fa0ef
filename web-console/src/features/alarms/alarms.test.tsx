import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Alarm } from '@/api/generated';
import { AlarmAnnouncer } from '@/app/shell/AlarmAnnouncer';
import { Sidebar } from '@/app/shell/Sidebar';
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
      return HttpResponse.json({ items, total: items.length });
    }),
    http.get(at('/api/v1/alarms/:id'), ({ params }) => HttpResponse.json(items.find(({ id }) => id === params.id))),
    http.post(at('/api/v1/alarms/acknowledge'), async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ items: [] });
    }),
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
  it('says what stands, who has seen to it, and how long that took', async () => {
    show();
    const openRow = await rowOf(/Tombol SOS/);
    expect(openRow.getByText('Belum ditangani')).toBeTruthy();
    expect(openRow.getByText('Kritis')).toBeTruthy();
    const done = await rowOf(/Daya terputus/);
    expect(done.getByText('Sudah ditangani')).toBeTruthy();
    expect(done.getByText('12 mnt')).toBeTruthy();
    expect(await done.findByText('Budi')).toBeTruthy();
    expect(asked[0]?.get('sort')).toBe('-last_at');
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

  it('has the chosen ones acknowledged, with one note for all of them', async () => {
    show();
    for (const name of ['Tombol SOS', 'Daya terputus'])
      await userEvent.click(await screen.findByRole('checkbox', { name: `Pilih ${name}` }));
    await userEvent.click(screen.getByRole('button', { name: 'Tandai ditangani' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Tandai 2 alarm sudah ditangani?' }));
    await userEvent.type(dialog.getByLabelText('Catatan (opsional)'), 'Latihan');
    await userEvent.click(dialog.getByRole('button', { name: 'Tandai ditangani' }));
    await waitFor(() => expect(sent).toEqual([{ ids: ['alarm-1', 'alarm-2'], note: 'Latihan' }]));
    await waitFor(() => expect(screen.queryByText('2 dipilih')).toBeNull());
  });

  it('shows an alarm with the ways from it, and its button to those who may', async () => {
    show('/alarms?open=alarm-1');
    const shown = within(await screen.findByRole('dialog', { name: 'Tombol SOS' }));
    expect(await shown.findByRole('button', { name: 'Tandai ditangani: Tombol SOS' })).toBeTruthy();
    const href = (name: string) => shown.getByRole('link', { name }).getAttribute('href');
    expect(href('Tampilkan di peta')).toBe('/maps?device_id=device-1');
    expect(href('Tampilkan di riwayat perjalanan')).toContain('at=2026-11-21T10%3A04%3A00Z');
    expect(shown.queryByRole('link', { name: 'Kejadiannya' })).toBeNull();
  });

  it('says so of a call from nobody knows where', async () => {
    items = [{ ...sos, lat: undefined, lng: undefined }];
    show('/alarms?open=alarm-1');
    const shown = within(await screen.findByRole('dialog', { name: 'Tombol SOS' }));
    expect(await shown.findByText('Tempat tidak diketahui')).toBeTruthy();
  });

  it('is only read by who may not acknowledge', async () => {
    show('/alarms?open=alarm-1', ['alarm:list']);
    const shown = within(await screen.findByRole('dialog', { name: 'Tombol SOS' }));
    expect(await shown.findByText('Jumlah')).toBeTruthy();
    expect(shown.queryByRole('button', { name: /^Tandai/ })).toBeNull();
    expect(screen.queryByRole('checkbox', { hidden: true })).toBeNull();
  });
});

describe('an alarm that is raised', () => {
  it('is counted in the sidebar and said once, on whatever screen', async () => {
    let emit: ((message: ServerMessage) => void) | undefined;
    vi.spyOn(live, 'onMessage').mockImplementation((type, listener) => {
      if (type === 'events_changed') emit = listener;
      return () => undefined;
    });
    const Screen = () => {
      useEventUpdates();
      return (
        <>
          <Sidebar compact={false} />
          <AlarmAnnouncer />
        </>
      );
    };
    items = [sos];
    renderAt(<Screen />, '/devices', store(['alarm:list']));
    const link = () => screen.findByRole('link', { name: 'Alarm 1 alarm belum ditangani' });
    expect((await link()).getAttribute('href')).toBe('/alarms');
    expect(screen.getByTestId('alarm-announcer').textContent).toBe('');
    const door = { ...sos, id: 'alarm-3', kind: 'alarm.door', first_at: '2026-11-21T10:05:00Z' };
    items = [door, sos];
    act(() => emit?.({ type: 'events_changed' }));
    await waitFor(() =>
      expect(screen.getByTestId('alarm-announcer').textContent).toBe('Alarm baru: Pintu dibuka, Truk 2'),
    );
    expect(await screen.findByRole('link', { name: 'Alarm 2 alarm belum ditangani' })).toBeTruthy();
    items = [];
    act(() => emit?.({ type: 'events_changed' }));
    await waitFor(() => expect(screen.getByRole('link', { name: 'Alarm' })).toBeTruthy());
    expect(asked.every((search) => search.get('state') === 'open')).toBe(true);
  });
});
