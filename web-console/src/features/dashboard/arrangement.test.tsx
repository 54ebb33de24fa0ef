import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { live } from '@/live/live';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { DashboardPage } from './DashboardPage';
import { TILES } from './tiles';

vi.mock('./SmallMap', () => ({ SmallMap: () => <div data-testid="map" /> }));

setUpTestServer();

/** What the server keeps, and how often it was told. */
let kept: { value?: object | null };
let notified: number;
/** The server does not answer. */
let away: boolean;
beforeEach(() => {
  [kept, notified, away] = [{}, 0, false];
  vi.spyOn(live, 'settled').mockReturnValue(true);
  vi.spyOn(live, 'counts').mockReturnValue({ moving: 1, idle: 0, parked: 0, offline: 0, no_data: 0, alarm: 0 });
  vi.spyOn(live, 'longestSilent').mockResolvedValue([]);
  const answer = () =>
    away ? HttpResponse.error() : HttpResponse.json({ key: 'dashboard', value: kept.value ?? undefined });
  server.use(
    http.get(at('/api/v1/account/preferences/dashboard'), answer),
    http.put(at('/api/v1/account/preferences/dashboard'), async ({ request }) => {
      if (!away) {
        kept = (await request.json()) as { value: object | null };
        notified += 1;
      }
      return answer();
    }),
    http.get(at('/api/v1/documents/summary'), () =>
      HttpResponse.json({ total: 20, valid: 10, expiring: 4, expired: 2, none: 4 }),
    ),
    http.get(at('/api/v1/maintenance/summary'), () =>
      HttpResponse.json({ total: 9, scheduled: 1, due_soon: 2, due: 3, overdue: 1, paused: 2, done: 0 }),
    ),
  );
});
afterEach(async () => {
  // What comes back later would be remembered in the next test.
  await waitFor(() => expect(localStorage.getItem(REMEMBERED) ?? '').not.toContain('unsent'));
  vi.restoreAllMocks();
});

const PERMISSIONS = ['position:live', 'document:list', 'maintenance:list'];

function show(permissions: string[] = PERMISSIONS) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  return renderAt(<DashboardPage />, '/', store);
}

const titles = () => screen.queryAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
const open = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Atur dasbor' }));
  return within(await screen.findByRole('dialog'));
};

const USUAL = ['Kendaraan saat ini', 'Posisi kendaraan', 'Hari ini', 'Dokumen', 'Perawatan', 'Paling lama offline'];
const WITHOUT_TODAY = USUAL.filter((title) => title !== 'Hari ini');
/** What the preference says of the same. */
const HIDES_TODAY = { order: [...TILES], hidden: ['today'] };

const shows = (wanted: string[]) => waitFor(() => expect(titles()).toEqual(wanted));
const { id: personId } = loginAnswer().user;
/** Where a browser remembers it. */
const REMEMBERED = `preference.${personId}.dashboard`;
/** The server has it, and the browser knows that. */
const isSent = async (value: object) => {
  await waitFor(() => expect(kept.value).toEqual(value));
  await waitFor(() => expect(localStorage.getItem(REMEMBERED)).toBe(JSON.stringify({ value })));
};

describe('arranging', () => {
  it('hides tiles, moves them past each other, and says so', async () => {
    show();
    const menu = await open();
    expect(menu.getAllByRole('checkbox')).toHaveLength(6);
    await userEvent.click(menu.getByRole('checkbox', { name: 'Hari ini' }));
    expect(titles()).toEqual(WITHOUT_TODAY);
    await userEvent.click(menu.getByRole('button', { name: 'Turunkan Dokumen' }));
    expect(titles()).toEqual(['Kendaraan saat ini', 'Posisi kendaraan', 'Perawatan', 'Dokumen', 'Paling lama offline']);
    expect(menu.getByRole('status').textContent).toBe('Dokumen kini di urutan 5 dari 6');
  });

  it('works by keyboard, which stays at its button up to the end', async () => {
    show();
    const menu = await open();
    const down = menu.getByRole('button', { name: 'Turunkan Perawatan' });
    act(() => down.focus());
    await userEvent.keyboard('{Enter}');
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Turunkan Perawatan');
    expect(titles().at(-1)).toBe('Perawatan');
    act(() => menu.getByRole('checkbox', { name: 'Dokumen' }).focus());
    await userEvent.keyboard(' ');
    expect(titles()).not.toContain('Dokumen');
  });

  it('says so when everything is hidden, and brings all of it back', async () => {
    show(['document:list']);
    const menu = await open();
    await userEvent.click(menu.getByRole('checkbox', { name: 'Dokumen' }));
    expect(screen.getByText('Semua bagian disembunyikan')).toBeTruthy();
    await userEvent.click(menu.getByRole('button', { name: 'Kembalikan susunan bawaan' }));
    expect(titles()).toEqual(['Dokumen']);
  });
});

describe('an arrangement', () => {
  it("is its person's in every browser, and shows nothing else before it is known", async () => {
    const first = show();
    await userEvent.click((await open()).getByRole('checkbox', { name: 'Hari ini' }));
    await isSent(HIDES_TODAY);
    first.unmount();

    // Another browser knows nothing of it.
    localStorage.clear();
    const seen = new Set<string>();
    const watch = new MutationObserver(() => titles().forEach((title) => seen.add(title ?? '')));
    watch.observe(document.body, { childList: true, subtree: true });
    const second = show();
    expect(titles()).toEqual([]);
    await shows(WITHOUT_TODAY);
    watch.disconnect();
    expect([...seen]).not.toContain('Hari ini');
    second.unmount();

    // This one does now, at once, and hears what was chosen elsewhere meanwhile.
    kept = {};
    show();
    await shows(WITHOUT_TODAY);
    await shows(USUAL);
    expect(notified).toBe(1);
  });

  it('comes from another tab', async () => {
    show();
    await shows(USUAL);
    const storageEvent = {
      key: REMEMBERED,
      newValue: JSON.stringify({ value: HIDES_TODAY }),
      storageArea: localStorage,
    };
    act(() => void window.dispatchEvent(new StorageEvent('storage', storageEvent)));
    expect(titles()).toEqual(WITHOUT_TODAY);
    expect(notified).toBe(0);
  });

  it('holds while the server is away, and is sent when it is back', async () => {
    away = true;
    const first = show();
    await userEvent.click((await open()).getByRole('checkbox', { name: 'Hari ini' }));
    expect(titles()).toEqual(WITHOUT_TODAY);
    first.unmount();

    away = false;
    kept = { value: { order: ['silent'], hidden: [] } };
    show();
    await shows(WITHOUT_TODAY);
    await isSent(HIDES_TODAY);
    expect(titles()).toEqual(WITHOUT_TODAY);
  });

  it('that is taken back leaves nothing on the server', async () => {
    kept = { value: HIDES_TODAY };
    show();
    await userEvent.click((await open()).getByRole('button', { name: 'Kembalikan susunan bawaan' }));
    expect(titles()).toEqual(USUAL);
    await waitFor(() => expect(kept).toEqual({ value: null }));
  });
});

describe('what a browser had kept by itself', () => {
  const place = `dashboard.${personId}`;

  it('is taken over once', async () => {
    localStorage.setItem(place, JSON.stringify(HIDES_TODAY));
    show();
    await shows(WITHOUT_TODAY);
    await isSent(HIDES_TODAY);
    expect(localStorage.getItem(place)).toBeNull();
  });

  it('yields to what its person has chosen elsewhere', async () => {
    localStorage.setItem(place, JSON.stringify({ order: [...TILES], hidden: ['silent'] }));
    kept = { value: HIDES_TODAY };
    show();
    await shows(WITHOUT_TODAY);
    expect([notified, localStorage.getItem(place)]).toEqual([0, null]);
  });

  it('is nothing where nobody chose it, though there were fewer tiles then', async () => {
    localStorage.setItem(place, JSON.stringify({ order: TILES.filter((tile) => tile !== 'alarms'), hidden: [] }));
    show();
    await shows(USUAL);
    expect([notified, localStorage.getItem(place)]).toEqual([0, null]);
  });
});
