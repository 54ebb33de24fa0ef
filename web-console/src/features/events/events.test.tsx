import { act, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventEntry } from '@/api/generated';
import { EVENT_KINDS, eventTone } from '@/components/events/eventKinds';
import { eventKey } from '@/components/events/eventKey';
import { EventsOf } from '@/components/events/EventsOf';
import { i18n } from '@/i18n/i18n';
import { LANGUAGES } from '@/i18n/languages';
import { useEventTexts } from '@/i18n/useEventTexts';
import { live, type ServerMessage } from '@/live/live';
import { useEventUpdates } from '@/live/useEventUpdates';
import type { Resource } from '@/resource/defineResource';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { fileColumns } from '@/resource/useResourceView';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import events from './events.resource';

setUpTestServer();

const fast: EventEntry = {
  id: 'event-1',
  tenant_id: 'tenant-1',
  occurred_at: '2026-11-21T10:00:00.250Z',
  recorded_at: '2026-11-21T10:00:02Z',
  kind: 'vehicle.overspeed',
  device_id: 'device-1',
  device_name: 'Truk 2',
  subject_id: 'device-1',
  title: '',
  value: 93,
  limit: 80,
  speed: 91,
  lat: -6.20314,
  lng: 106.85525,
  since: '2026-11-21T09:59:20Z',
};
const expiring: EventEntry = {
  id: 'event-2',
  tenant_id: 'tenant-1',
  occurred_at: '2026-11-20T17:00:00Z',
  recorded_at: '2026-11-21T02:00:00Z',
  kind: 'document.expiring',
  device_id: 'device-1',
  device_name: 'Truk 2',
  subject_id: 'document-1',
  title: 'B 1234 XY',
  details: {
    kind: 'stnk',
    number: '0012',
    subject_name: 'Truk 2',
    expires_on: '2026-11-28',
    days_left: 7,
    lead_days: 7,
    seal: 'red',
  },
};

let asked: URLSearchParams[];
let entries: EventEntry[];
beforeEach(() => {
  asked = [];
  entries = [fast, expiring];
  server.use(
    http.get(at('/api/v1/events'), ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ items: entries, total: entries.length });
    }),
    http.get(at('/api/v1/devices'), ({ request }) => {
      const q = new URL(request.url).searchParams.get('q');
      const found = q === 'stnk' ? [] : [{ id: 'device-1', name: 'Truk 2' }];
      return HttpResponse.json({ items: found, total: found.length });
    }),
    http.get(at('/api/v1/devices/:id'), () => HttpResponse.json({ id: 'device-1', name: 'Truk 2' })),
  );
});

const RIGHTS = ['event:list', 'event:export', 'device:list', 'document:list', 'position:history'];

function store(permissions = RIGHTS) {
  const created = createStore();
  created.dispatch(signedIn(loginAnswer({ permissions })));
  return created;
}
const show = (path = '/events', permissions?: string[]) =>
  renderAt(<ResourceListPage resource={events} />, path, store(permissions));
const drawer = async () => within(await screen.findByRole('dialog'));
const rowOf = (name: RegExp) => screen.findByRole('row', { name });
const PLAYBACK = '/playback?device_id=device-1&from=2026-11-21&at=2026-11-21T10%3A00%3A00.250Z';

function texts() {
  const used = store();
  const wrapper = ({ children }: { children: ReactNode }) => <Provider store={used}>{children}</Provider>;
  return renderHook(() => useEventTexts(), { wrapper }).result.current;
}

describe('the words for events', () => {
  const bare = { ...fast, value: undefined, limit: undefined, speed: undefined, since: undefined };
  it.each<[Partial<EventEntry>, string]>([
    [{ kind: 'vehicle.overspeed', value: 93, limit: 80 }, '93 km/jam, batas 80 km/jam'],
    [{ kind: 'vehicle.overspeed', speed: 91 }, '91 km/jam'],
    [{ kind: 'vehicle.idling', value: 720, limit: 600 }, '12 mnt'],
    [{ kind: 'vehicle.parked_too_long', value: 8040 }, '2 jam 14 mnt'],
    [{ kind: 'vehicle.harsh_braking', value: 4.12, limit: 3.73 }, '4,1 m/s²'],
    [{ kind: 'device.offline', since: '2026-11-21T09:50:00Z' }, 'update terakhir pukul 16.50'],
    [{ kind: 'device.online', value: 1500 }, 'offline selama 25 mnt'],
    [
      { kind: 'fuel.fill', value: 60.25, details: { before: 40, after: 100, confidence: 97 } },
      '60,3 L, keyakinan 97 %',
    ],
    [{ kind: 'fuel.drain', value: 12 }, '12 L'],
    [{ kind: 'device.low_battery', value: 19, limit: 20 }, '19 %'],
    [{ kind: 'device.low_battery' }, ''],
    [
      { kind: 'device.odometer_reset', details: { before: 120000, after: 0 } },
      'dari 120.000 km menjadi 0 km, meter kendaraan berlanjut',
    ],
    [{ kind: 'vehicle.ignition_on' }, ''],
    [{ kind: 'document.expiring', title: 'STNK', details: { days_left: 7 } }, 'STNK, 7 hari lagi'],
    [{ kind: 'document.expiring', title: 'STNK', details: { days_left: 0 } }, 'STNK, kedaluwarsa hari ini'],
    [{ kind: 'document.expired', title: 'STNK', details: { days_left: -1 } }, 'STNK, lewat 1 hari'],
    [{ kind: 'maintenance.due', title: 'Ganti oli' }, 'Ganti oli'],
  ])('say of %o: %s', (event, facts) => {
    expect(texts().summaryOf({ ...bare, ...event })).toBe(facts);
  });

  it('name every kind in every language', async () => {
    try {
      for (const language of LANGUAGES) {
        await i18n.changeLanguage(language);
        const { nameOf } = texts();
        const names = EVENT_KINDS.map(nameOf);
        expect([language, names.filter((name) => name.includes('.'))]).toEqual([language, []]);
      }
    } finally {
      await i18n.changeLanguage('id');
    }
  });

  it('are those of alarms, of whole modules, and of newer servers', () => {
    const { nameOf } = texts();
    expect(['alarm.sos', 'alarm.hood_open', 'alarm.*', 'geofence.enter'].map(nameOf)).toEqual([
      'Tombol SOS',
      'hood_open',
      'Semua alarm alat GPS',
      'geofence.enter',
    ]);
  });

  it('go with how much an event asks', () => {
    const kinds = ['alarm.sos', 'alarm.hood_open', 'vehicle.idling', 'device.online', 'geofence.enter'];
    expect(kinds.map(eventTone)).toEqual(['critical', 'warning', 'warning', 'neutral', 'neutral']);
  });
});

describe('the list of events', () => {
  it('is not for those who may not read it', () => {
    show('/events', ['device:list']);
    expect(screen.getByText('Anda tidak memiliki akses ke halaman kejadian.')).toBeTruthy();
  });

  it('tells what happened to what, how much it was, and where', async () => {
    show();
    const row = within(await rowOf(/Overspeed/));
    expect(row.getByText('93 km/jam, batas 80 km/jam')).toBeTruthy();
    expect(row.getByRole('link', { name: 'Truk 2' }).getAttribute('href')).toBe('/devices/device-1');
    expect(row.getByTitle('-6.20314, 106.85525').getAttribute('href')).toBe(PLAYBACK);
    const documentRow = within(await rowOf(/Dokumen segera kedaluwarsa/));
    expect(documentRow.getByText('B 1234 XY, 7 hari lagi')).toBeTruthy();
    expect(asked[0]?.get('sort')).toBe('-occurred_at');
  });

  it('leads nowhere where somebody may not go', async () => {
    show('/events', ['event:list']);
    const row = within(await rowOf(/Overspeed/));
    expect(row.queryByRole('link')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Ekspor' })).toBeNull();
  });

  it('follows a link inside of a row instead of opening the row', async () => {
    const { router } = show();
    await userEvent.click(within(await rowOf(/Overspeed/)).getByRole('link', { name: 'Truk 2' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/devices/device-1'));
    expect(router.state.location.search).toBe('');
  });

  it('is narrowed by the address: days of the tenant, kinds, vehicles', async () => {
    show('/events?from=2026-11-21&to=2026-11-21&kind=alarm.*&kind=vehicle.overspeed&device_id=device-1&q=stnk');
    await rowOf(/Overspeed/);
    const call = asked.at(-1);
    expect([call?.get('from'), call?.get('to')]).toEqual(['2026-11-20T17:00:00.000Z', '2026-11-21T17:00:00.000Z']);
    expect(call?.getAll('kind')).toEqual(['alarm.*', 'vehicle.overspeed']);
    expect([call?.getAll('device_id'), call?.get('q')]).toEqual([['device-1'], 'stnk']);
  });

  it('is searched by vehicles, which another list finds, and what finds none as it is', async () => {
    const { router } = show('/events?q=truk');
    await waitFor(() => expect(asked.at(-1)?.getAll('device_id')).toEqual(['device-1']));
    expect(asked.at(-1)?.get('q')).toBeFalsy();
    await act(() => router.navigate('/events?q=stnk'));
    await waitFor(() => expect(asked.at(-1)?.get('q')).toBe('stnk'));
    expect(asked.at(-1)?.getAll('device_id')).toEqual([]);
  });

  it('is in files with what was measured', () => {
    const columns = fileColumns(events as unknown as Resource<never>, ['occurred_at', 'kind', 'summary', 'place']);
    expect(columns).toEqual(['occurred_at', 'kind', 'title', 'value', 'limit', 'since', 'lat', 'lng']);
  });

  it('is asked for again when the live socket notifies of changes', async () => {
    let emit: ((message: ServerMessage) => void) | undefined;
    vi.spyOn(live, 'onMessage').mockImplementation((type, listener) => {
      if (type === 'events_changed') emit = listener;
      return () => undefined;
    });
    const Subscriber = () => {
      useEventUpdates();
      return <ResourceListPage resource={events} />;
    };
    entries = [expiring];
    renderAt(<Subscriber />, '/events', store());
    await rowOf(/Dokumen segera kedaluwarsa/);
    entries = [fast, expiring];
    act(() => emit?.({ type: 'events_changed' }));
    expect(await rowOf(/Overspeed/)).toBeTruthy();
  });
});

describe('an event', () => {
  it('shows all of it, and leads to the road and to the vehicle', async () => {
    show();
    await userEvent.click(within(await rowOf(/Overspeed/)).getByText('93 km/jam, batas 80 km/jam'));
    const shown = await drawer();
    expect(shown.getByRole('heading', { name: 'Overspeed' })).toBeTruthy();
    const facts = [...document.querySelectorAll('[role=dialog] dd')].map((each) => each.textContent);
    for (const value of ['Truk 2', '93 km/jam', '80 km/jam', '91 km/jam', 'event-1']) expect(facts).toContain(value);
    // It was noticed at once.
    expect(shown.queryByText('Tercatat')).toBeNull();
    const href = (name: string) => shown.getByRole('link', { name }).getAttribute('href');
    expect(href('Lihat di riwayat')).toBe(PLAYBACK);
    expect(href('Buka kendaraan')).toBe('/devices/device-1');
  });

  it('of a document says what there is besides, and leads to the document', async () => {
    server.use(http.get(at('/api/v1/documents/:id'), () => HttpResponse.json({ error: 'not_found' }, { status: 404 })));
    const { router } = show(`/events?open=${encodeURIComponent(eventKey(expiring))}`);
    const shown = await drawer();
    const besides = ['STNK', '28 Nov 2026', '0012', 'seal', 'red'];
    for (const value of besides) expect(await shown.findByText(value)).toBeTruthy();
    expect(shown.getByText('Tercatat')).toBeTruthy();
    expect(shown.queryByRole('link', { name: 'Lihat di riwayat' })).toBeNull();
    await userEvent.click(shown.getByRole('button', { name: 'Buka dokumen' }));
    await waitFor(() => expect(router.state.location.search).toContain('documents%3Adocument-1'));
  });

  it('is found by its link after the list has moved on', async () => {
    server.use(
      http.get(at('/api/v1/events'), ({ request }) => {
        const from = new URL(request.url).searchParams.get('from');
        return HttpResponse.json({ items: from === fast.occurred_at ? [fast] : [expiring], total: 1 });
      }),
    );
    show(`/events?open=${encodeURIComponent(eventKey(fast))}`);
    expect(await (await drawer()).findByText('80 km/jam')).toBeTruthy();
    expect([events.findBy?.('new'), events.findBy?.('id@x')]).toEqual([undefined, undefined]);
  });
});

describe('the events of a vehicle', () => {
  const part = (permissions?: string[]) =>
    renderAt(<EventsOf deviceId="device-1" />, '/devices/device-1', store(permissions));

  it('stand day by day, the newest ten, with the way to all', async () => {
    // Of the day before by the tenant's clocks, an hour before midnight.
    entries = [fast, expiring, { ...fast, id: 'event-3', kind: 'alarm.sos', occurred_at: '2026-11-20T16:00:00Z' }];
    const { router } = part();
    const today = within(await screen.findByRole('region', { name: '21 Nov 2026' }));
    expect(today.getAllByRole('listitem')).toHaveLength(2);
    expect(today.getByText('17.00 · 93 km/jam, batas 80 km/jam')).toBeTruthy();
    expect(today.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([PLAYBACK]);
    const before = within(screen.getByRole('region', { name: '20 Nov 2026' }));
    expect(before.getByRole('button', { name: 'Tombol SOS' })).toBeTruthy();
    expect(asked.map((call) => [call.get('device_id'), call.get('page_size')])).toEqual([['device-1', '10']]);
    const all = screen.getByRole('link', { name: 'Semua kejadian kendaraan ini' });
    expect(all.getAttribute('href')).toBe('/events?device_id=device-1');
    await userEvent.click(today.getByRole('button', { name: 'Overspeed' }));
    expect(router.state.location.search).toContain(encodeURIComponent(`events:${eventKey(fast)}`));
  });

  it('lead to no playback without the right to see where vehicles were', async () => {
    part(['event:list']);
    const today = within(await screen.findByRole('region', { name: '21 Nov 2026' }));
    expect(today.queryByRole('link')).toBeNull();
  });

  it('are none, or not to be had', async () => {
    entries = [];
    const { unmount } = part();
    expect(await screen.findByText('Belum ada kejadian.')).toBeTruthy();
    unmount();
    const broken = { error: 'internal', message: 'Rusak.' };
    server.use(http.get(at('/api/v1/events'), () => HttpResponse.json(broken, { status: 500 })));
    part();
    expect(await screen.findByText('Kejadian tidak dapat dimuat.')).toBeTruthy();
    expect(screen.getByText('Rusak.')).toBeTruthy();
  });
});
