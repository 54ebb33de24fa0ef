import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, it, vi } from 'vitest';
import { api } from '@/api/api';
import type { Alarm } from '@/api/generated';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { useWall } from './useWall';
import { Wall } from './Wall';

setUpTestServer();
afterEach(() => void vi.useRealTimers());

const SOS = {
  id: 'alarm-1',
  kind: 'alarm.sos',
  severity: 'critical',
  state: 'open',
  device_id: 'device-1',
  device_name: 'Truk 7',
  first_at: '2026-11-29T03:00:00Z',
  last_at: '2026-11-29T03:00:00Z',
  lat: -6.2,
  lng: 106.8,
} as Alarm;

it('goes to a new alarm and frames it, and otherwise brings all vehicles onto the map each minute', async () => {
  const wakeLock = { request: vi.fn(() => Promise.resolve({ release: () => Promise.resolve() })) };
  Object.defineProperty(navigator, 'wakeLock', { value: wakeLock, configurable: true });
  let critical: Alarm[] = [];
  server.use(
    http.get(at('/api/v1/alarms'), ({ request }) => {
      const items = new URL(request.url).searchParams.get('severity') === 'critical' ? critical : [];
      return HttpResponse.json({ items, total: items.length, more_than_total: false });
    }),
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], shouldAdvanceTime: true });
  const [showAll, flyTo, onLeave] = [vi.fn(), vi.fn(), vi.fn()];
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions: ['alarm:list', 'position:live'] })));
  renderAt(<Wall showAll={showAll} flyTo={flyTo} alarms onLeave={onLeave} />, '/maps?wall=1', store);
  const map = await screen.findByTestId('wall-map');
  await screen.findByText('Tidak ada alarm yang belum ditanggapi');
  expect(wakeLock.request).toHaveBeenCalledWith('screen');
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(showAll).toHaveBeenCalledTimes(2);
  expect(map.dataset.alarm).toBeUndefined();

  critical = [SOS];
  act(() => void store.dispatch(api.util.invalidateTags(['alarms'])));
  await waitFor(() => expect(flyTo).toHaveBeenCalledExactlyOnceWith([-6.2, 106.8]));
  await waitFor(() => expect(map.dataset.alarm).toBe('true'));
  expect(screen.getByText('Truk 7')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(map.dataset.alarm).toBeUndefined();
  expect(showAll).toHaveBeenCalledTimes(3);

  const wall = screen.getByRole('region', { name: 'Layar dinding' });
  expect(wall.dataset.still).toBe('true');
  fireEvent.pointerMove(document);
  expect(wall.dataset.still).toBeUndefined();
  fireEvent.click(screen.getByRole('button', { name: 'Keluar dari layar dinding' }));
  expect(onLeave).toHaveBeenCalledOnce();
});

/** As the map shows it. */
function OnTheMap() {
  const { alarms, leave } = useWall();
  return <Wall showAll={vi.fn()} flyTo={vi.fn()} alarms={alarms} onLeave={leave} />;
}

it.each([
  [['position:live', 'alarm:list'], 1],
  [['position:live'], 0],
])('has a place for alarms where they may be seen: %j', async (permissions, places) => {
  server.use(http.get(at('/api/v1/alarms'), () => HttpResponse.json({ items: [], total: 0, more_than_total: false })));
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  renderAt(<OnTheMap />, '/maps?wall=1', store);
  await screen.findByTestId('wall-map');
  expect(screen.queryAllByRole('heading', { level: 2 })).toHaveLength(places);
});
