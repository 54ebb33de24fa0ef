import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventEntry } from '@/api/generated';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { fuelMarks } from './chartFuel';
import { tickAt } from './chartTicks';
import { areaOfEvent, placesOf, playedEvents, type MarkedEvent } from './events';
import { PlaybackPanel } from './PlaybackPanel';
import { PlaybackClock } from './track/clock';
import { newTrack } from './track/track';
import { usePlaybackAddress } from './usePlaybackAddress';
import { usePlaybackEvents } from './usePlaybackEvents';

setUpTestServer();

const START = Date.parse('2026-11-25T01:00:00Z');
const minute = (minutes: number) => START + minutes * 60_000;

const entry = (kind: string, minutes: number, more: Partial<EventEntry> = {}): EventEntry =>
  ({
    id: `${kind} ${minutes}`,
    kind,
    occurred_at: new Date(minute(minutes)).toISOString(),
    device_id: 'one',
    device_name: 'Truk Satu',
    title: '',
    lat: -6.2,
    lng: 106.8,
    ...more,
  }) as EventEntry;

const OVERSPEED = entry('vehicle.overspeed', 20, { value: 92, limit: 80, lat: -6.3 });
const TOWING = entry('vehicle.towing', 40);
const IGNITION = entry('vehicle.ignition_on', 10);
const ONLINE = entry('device.online', 5, { lat: undefined, lng: undefined });
const ALL = [TOWING, OVERSPEED, IGNITION, ONLINE];

const marked = (entries: readonly EventEntry[]): MarkedEvent[] =>
  playedEvents([{ items: [...entries] }]).map((played) => ({
    ...played,
    color: `colour ${played.rank}`,
    title: () => played.event.kind,
  }));

describe('events', () => {
  it('are in the order of time, each of them once', () => {
    const kinds = playedEvents([{ items: [TOWING, OVERSPEED] }, undefined, { items: [OVERSPEED, ONLINE] }]);
    expect(kinds.map(({ event }) => event.kind)).toEqual(['device.online', 'vehicle.overspeed', 'vehicle.towing']);
  });

  it('are marked where they happened, the worst of a place and the worst of all on top', () => {
    const places = placesOf(marked(ALL), String);
    expect(places.map(({ lat, color, at: instant }) => [lat, color, instant])).toEqual([
      [-6.3, 'colour 1', minute(20)],
      [-6.2, 'colour 2', minute(40)],
    ]);
    expect(places[1]?.title()).toBe('vehicle.towing\nvehicle.ignition_on');
  });

  it('are told one by one up to a number', () => {
    const many = Array.from({ length: 8 }, (_, index) => entry('vehicle.idling', index));
    expect(
      placesOf(marked(many), (count) => `+${count}`)[0]
        ?.title()
        .split('\n'),
    ).toEqual([...Array<string>(5).fill('vehicle.idling'), '+3']);
  });

  it('are shown at their place, or where the vehicle was', () => {
    const track = newTrack(1);
    track.time.set([START]);
    track.lat.set([-7]);
    track.lng.set([110]);
    const [online, overspeed] = marked([ONLINE, OVERSPEED]);
    expect(online && areaOfEvent(online, track)?.[0]).toEqual([-7, 110]);
    expect(overspeed && areaOfEvent(overspeed, track)?.[0]).toEqual([-6.3, 106.8]);
  });

  it('that are fills and drains are marked at what they came to', () => {
    const fuel = (kind: string, minutes: number, after?: number) =>
      entry(kind, minutes, {
        value: 40,
        details: after === undefined ? undefined : { before: 60, after, confidence: 98 },
      });
    const marks = fuelMarks(
      marked([OVERSPEED, fuel('fuel.fill', 2, 100.5), fuel('fuel.drain', 30, 20), fuel('fuel.fill', 35)]),
    );
    expect(marks.map(({ at: instant, litres, rises }) => [instant, litres, rises])).toEqual([
      [minute(2), 100.5, true],
      [minute(30), 20, false],
    ]);
  });

  it('are meant by a place of the chart near their ticks: the worst, and of equals the nearest', () => {
    // A pixel is a minute.
    const meant = (entries: EventEntry[], x: number) =>
      tickAt(marked(entries), x, (instant) => (instant - START) / 60_000)?.event;
    expect(meant(ALL, 30)).toBeUndefined();
    expect(meant(ALL, 18)?.kind).toBe('vehicle.overspeed');
    expect(meant([IGNITION, entry('vehicle.towing', 13)], 10)?.kind).toBe('vehicle.towing');
    expect(meant([entry('vehicle.idling', 8), entry('vehicle.overspeed', 11)], 10)?.kind).toBe('vehicle.overspeed');
  });
});

function store(...more: string[]) {
  const made = createStore();
  made.dispatch(signedIn(loginAnswer({ permissions: ['position:history', 'device:list', ...more] })));
  return made;
}

/** What of the screen has to do with events, but for its map and chart. */
function Screen({ clock }: { clock: PlaybackClock }) {
  const address = usePlaybackAddress();
  const events = usePlaybackEvents(address, 'one', 'light');
  const active = { id: 'one', name: 'Truk Satu', color: '', track: newTrack(0), segments: [] };
  return (
    <>
      <output data-testid="places">{events.places.length}</output>
      <output data-testid="ticks">{events.ofActive.length}</output>
      <PlaybackPanel
        address={address}
        played={[active]}
        active={active}
        onActive={vi.fn()}
        clock={clock}
        onChoose={vi.fn()}
        events={events}
        onChooseEvent={({ at: instant }) => clock.seek(instant)}
        onReload={events.reload}
      />
    </>
  );
}

function show(permissions: string[], search = '') {
  const clock = new PlaybackClock({ from: START, to: minute(60) });
  const path = `/playback?device_id=one&from=2026-11-25${search}`;
  return { clock, ...renderAt(<Screen clock={clock} />, path, store(...permissions)) };
}

const page = (items: readonly EventEntry[], total = items.length) => HttpResponse.json({ items, total });
const answer = (give: (search: URLSearchParams) => Response) =>
  server.use(http.get(at('/api/v1/events'), ({ request }) => give(new URL(request.url).searchParams)));
const open = async () => userEvent.click(await screen.findByRole('tab', { name: 'Kejadian' }));
const rows = () => within(screen.getByRole('tabpanel', { name: 'Kejadian' })).queryAllByRole('listitem');
const count = (of: 'places' | 'ticks') => screen.getByTestId(of).textContent;

describe('the events of a playback', () => {
  beforeEach(() => {
    server.use(http.get(at('/api/v1/*'), () => page([])));
  });

  it('are on the map, on the chart and in a list, of which one leads to its time', async () => {
    const asked = vi.fn();
    answer((search) => {
      asked(search.getAll('device_id'), search.get('page_size'));
      return page(ALL);
    });
    const { clock } = show(['event:list']);
    await vi.waitFor(() => expect(count('places')).toBe('2'));
    // Without the ignition; what has no place is on the chart.
    expect(count('ticks')).toBe('3');
    expect(asked.mock.calls).toEqual([[['one'], '500']]);
    await open();
    expect(rows()).toHaveLength(3);
    expect(rows()[1]?.textContent).toMatch(/08[.:]20[.:]00/);
    await userEvent.click(within(rows()[1] as HTMLElement).getByRole('button'));
    expect(clock.now).toBe(minute(20));
    expect(rows().map((row) => within(row).getByRole('button').getAttribute('aria-current'))).toEqual([
      null,
      'true',
      null,
    ]);
    act(() => clock.seek(minute(59)));
    expect(
      within(rows()[2] as HTMLElement)
        .getByRole('button')
        .getAttribute('aria-current'),
    ).toBe('true');
  });

  it('are hidden by their kind, and the address keeps that', async () => {
    answer(() => page(ALL));
    const { router } = show(['event:list']);
    await open();
    await userEvent.click(await screen.findByRole('button', { name: 'Jenis kejadian: 3 dari 4' }));
    const boxes = await screen.findAllByRole<HTMLInputElement>('checkbox');
    expect(boxes).toHaveLength(4);
    const turn = async (box: HTMLInputElement) => {
      const before = box.checked;
      await userEvent.click(box);
      await vi.waitFor(() => expect(box.checked).toBe(!before));
    };
    for (const box of boxes) if (box.checked) await turn(box);
    expect(await screen.findByText('Tidak ada kejadian dari jenis yang ditampilkan.')).toBeTruthy();
    expect(count('places')).toBe('0');
    for (const box of boxes) await turn(box);
    await vi.waitFor(() => expect(count('ticks')).toBe('4'));
    // What none of these is stays hidden, should it come.
    expect(new URLSearchParams(router.state.location.search).getAll('hide')).toEqual(['vehicle.ignition_off']);
  });

  it('are none, and nobody is asked, for who may not see them', async () => {
    const asked = vi.fn();
    answer(() => {
      asked();
      return page(ALL);
    });
    show([]);
    expect(await screen.findByRole('tab', { name: 'Titik' })).toBeTruthy();
    expect(screen.queryByRole('tab', { name: 'Kejadian' })).toBeNull();
    expect(count('places')).toBe('0');
    expect(asked).not.toHaveBeenCalled();
  });

  it('are asked for again when somebody wants to', async () => {
    let attempts = 0;
    answer(() =>
      attempts++ === 0 ? HttpResponse.json({ error: 'internal', message: 'Rusak.' }, { status: 500 }) : page(ALL),
    );
    show(['event:list']);
    const alert = within(await screen.findByRole('alert'));
    expect(alert.getByText('Gagal memuat kejadian.')).toBeTruthy();
    // What else there is stays.
    expect(screen.getByRole('tab', { name: 'Perjalanan' })).toBeTruthy();
    await userEvent.click(alert.getByRole('button', { name: 'Coba lagi' }));
    await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(count('places')).toBe('2');
  });

  it('are loaded page by page, and say when there are too many', async () => {
    const pages = vi.fn();
    answer((search) => {
      const number = Number(search.get('page'));
      pages(number);
      return page([entry('vehicle.idling', number)], 2_001);
    });
    show(['event:list']);
    await vi.waitFor(() => expect(count('ticks')).toBe('4'));
    expect(pages.mock.calls.flat().sort()).toEqual([1, 2, 3, 4]);
    await open();
    expect(screen.getByText('Hanya 2.000 kejadian terbaru yang ditampilkan.')).toBeTruthy();
  });

  it('may be none at all', async () => {
    answer(() => page([]));
    show(['event:list']);
    await open();
    expect(await screen.findByText('Tidak ada kejadian pada hari itu.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Jenis kejadian/ })).toBeNull();
  });
});
