import { act, renderHook, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { i18n } from '@/i18n/i18n';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { Address } from './Address';
import { NearestTown } from './NearestTown';
import { useAddressPlace } from './useAddressPlace';

setUpTestServer();

const NEAR_BEKASI = { lat: -6.1617, lng: 107.0528 };

interface Asked {
  points: { lat: number; lng: number }[];
  language: string;
}

/** Answers with what is said of a place, and keeps what was asked. */
function answering(response: { address?: string; pending: boolean }) {
  const asked = vi.fn<(request: Asked) => void>();
  server.use(
    http.post(at('/api/v1/addresses'), async ({ request }) => {
      const body = (await request.json()) as Asked;
      asked(body);
      return HttpResponse.json({ items: body.points.map((point) => ({ ...point, ...response })), configured: true });
    }),
  );
  return asked;
}

function show(element: React.ReactNode, permissions = ['position:live']) {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions })));
  return renderAt(element, '/', store);
}

afterEach(() => void vi.useRealTimers());

describe('the address of a place', () => {
  it('is asked for in one call with all others on the screen', async () => {
    const asked = answering({ address: 'Jalan Silang Monas', pending: false });
    show(
      <>
        <Address lat={-6.1754} lng={106.8272} />
        <Address lat={-6.17541} lng={106.82719} />
        <Address lat={-6.9175} lng={107.6191} lines={2} />
      </>,
    );
    expect(await screen.findAllByText('Jalan Silang Monas')).toHaveLength(3);
    expect(asked.mock.calls).toEqual([
      [
        {
          points: [
            { lat: -6.1754, lng: 106.8272 },
            { lat: -6.9175, lng: 107.6191 },
          ],
          language: 'id',
        },
      ],
    ]);
  });

  it.each([
    ['while it is not known', { pending: true }],
    ['where there is none', { pending: false }],
  ])('gives way to the nearest town %s', async (_when, response) => {
    answering(response);
    show(<Address {...NEAR_BEKASI} />);
    expect(await screen.findByText('12 km timur laut dari Bekasi')).toBeTruthy();
  });

  it('is not asked for by who may not see positions', async () => {
    const asked = answering({ address: 'Jalan Silang Monas', pending: false });
    show(<Address {...NEAR_BEKASI} />, ['device:list']);
    expect(await screen.findByText('12 km timur laut dari Bekasi')).toBeTruthy();
    expect(asked).not.toHaveBeenCalled();
  });
});

describe('the nearest town', () => {
  it.each([
    ['id', '12 km timur laut dari Bekasi', 'dekat Bekasi'],
    ['en', '12 km north-east of Bekasi', 'near Bekasi'],
    ['zh', 'Bekasi 东北方向 12 km', 'Bekasi 附近'],
    ['jv', '12 km lèr wétan saking Bekasi', 'celak Bekasi'],
  ])('is told in words: %s', async (language, away, near) => {
    try {
      await i18n.changeLanguage(language);
      show(
        <>
          <p>
            <NearestTown {...NEAR_BEKASI} />
          </p>
          <p>
            <NearestTown lat={-6.24} lng={106.98} />
          </p>
        </>,
      );
      expect(await screen.findByText(away)).toBeTruthy();
      expect(screen.getByText(near)).toBeTruthy();
    } finally {
      await i18n.changeLanguage('id');
    }
  });
});

describe('the place that is asked for', () => {
  const follow = (lat: number, moving: boolean) =>
    renderHook(({ lat, moving }) => useAddressPlace(lat, 106, moving), { initialProps: { lat, moving } });

  it('is where a vehicle stands, at once', () => {
    const { result, rerender } = follow(-6, false);
    expect(result.current).toEqual([-6, 106]);
    rerender({ lat: -7, moving: false });
    expect(result.current).toEqual([-7, 106]);
  });

  it('is where one drives only now and then, once somebody has looked for a while', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const { result, rerender } = follow(-6, true);
    expect(result.current).toBeNull();
    rerender({ lat: -6.1, moving: true });
    act(() => void vi.advanceTimersByTime(2_000));
    expect(result.current).toEqual([-6.1, 106]);
    rerender({ lat: -6.2, moving: true });
    expect(result.current).toEqual([-6.1, 106]);
    act(() => void vi.advanceTimersByTime(8_000));
    expect(result.current).toEqual([-6.2, 106]);
    rerender({ lat: -6.3, moving: false });
    expect(result.current).toEqual([-6.3, 106]);
    // It sets out from there.
    rerender({ lat: -6.4, moving: true });
    expect(result.current).toEqual([-6.3, 106]);
  });
});
