import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import resource from '@/features/drivers/drivers.resource';
import { signedIn } from '@/session/sessionSlice';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { createStore } from '@/store';
import type { Resource } from './defineResource';
import { ResourceListPage } from './ResourceListPage';

/** A list of 10,026 entries, which has pages by number as far as the 400th. */
function answer(search: URLSearchParams) {
  const after = search.get('after');
  const place = after ?? `page ${search.get('page')}`;
  const next = { 'page 400': 'behind 400', 'behind 400': 'behind 401' }[place];
  const row = { id: place, name: `Sopir ${place}`, status: 'available', row_version: 1 };
  return { items: [row], total: 10_000, more_than_total: true, next };
}

function show(page: number) {
  const asked: string[] = [];
  server.use(
    http.get(at('/api/v1/drivers'), ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams.get('after') ?? searchParams.get('page') ?? '');
      return HttpResponse.json(answer(searchParams));
    }),
  );
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions: ['driver:list'] })));
  return {
    ...renderAt(<ResourceListPage resource={resource as unknown as Resource} />, `/drivers?page=${page}`, store),
    asked,
  };
}

setUpTestServer();

const turn = async (name: string) => userEvent.click(screen.getByRole('button', { name }));

it('goes on behind the last page that has a number, and back', async () => {
  const { router, asked } = show(400);
  expect(await screen.findByText('Sopir page 400')).toBeTruthy();
  expect(screen.getByText('9.976–9.976 dari lebih dari 10.000')).toBeTruthy();
  await turn('401');
  expect(await screen.findByText('Sopir behind 400')).toBeTruthy();
  await turn('402');
  expect(await screen.findByText('Sopir behind 401')).toBeTruthy();
  expect(screen.queryByRole('button', { name: '403' })).toBeNull();
  await turn('401');
  expect(await screen.findByText('Sopir behind 400')).toBeTruthy();
  expect(router.state.location.search).toContain('page=401');
  await turn('400');
  expect(await screen.findByText('Sopir page 400')).toBeTruthy();
  expect([...new Set(asked)]).toEqual(['400', 'behind 400', 'behind 401']);
});

it('leads who comes to a deep page by its address to the last one that has a number', async () => {
  const { router, asked } = show(777);
  expect(await screen.findByText('Sopir page 400')).toBeTruthy();
  await waitFor(() => expect(router.state.location.search).toContain('page=400'));
  expect(asked).toEqual(['400']);
});
