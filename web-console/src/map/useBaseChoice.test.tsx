import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { useBaseChoice } from './useBaseChoice';

setUpTestServer();

const SOURCE = {
  id: 'osm',
  name: 'Jalan',
  kind: 'raster_tiles',
  url: '/api/v1/map-sources/osm/{z}/{x}/{y}',
  attribution: '© OpenStreetMap',
  min_zoom: 0,
  max_zoom: 19,
};

function Shown() {
  const { source, onChoose } = useBaseChoice();
  return (
    <>
      <output data-testid="shown">{source === undefined ? 'nobody knows' : (source?.url ?? 'the bundled map')}</output>
      <button type="button" onClick={() => onChoose({ kind: 'schematic' })}>
        Choose
      </button>
    </>
  );
}

function show() {
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions: [] })));
  renderAt(
    <>
      <Shown />
      <Shown />
    </>,
    '/maps',
    store,
  );
}
const shown = () => screen.getAllByTestId('shown').map(({ textContent }) => textContent);

describe('the base map', () => {
  it('is the street map of the server, which is asked once for all maps', async () => {
    const asked = vi.fn();
    server.use(
      http.get(at('/api/v1/map-sources'), () => {
        asked();
        return HttpResponse.json({ items: [SOURCE] });
      }),
    );
    show();
    expect(shown()).toEqual(['nobody knows', 'nobody knows']);
    await waitFor(() => expect(shown()).toEqual([SOURCE.url, SOURCE.url]));
    expect(asked).toHaveBeenCalledOnce();
    await userEvent.click(screen.getAllByRole('button')[0] as HTMLElement);
    expect(shown()).toEqual(['the bundled map', SOURCE.url]);
    expect(localStorage.getItem('map_tiles')).toBe('{"kind":"schematic"}');
  });

  it('is the bundled map when the server cannot say what it has', async () => {
    server.use(http.get(at('/api/v1/map-sources'), () => HttpResponse.json({ error: 'not_found' }, { status: 404 })));
    show();
    await waitFor(() => expect(shown()).toEqual(['the bundled map', 'the bundled map']));
  });
});
