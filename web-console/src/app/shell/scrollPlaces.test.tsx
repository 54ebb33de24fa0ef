import { act, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useScrollPlaces } from './useScrollPlaces';

let height = 2_000;

beforeEach(() => {
  height = 2_000;
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(() => height);
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(500);
  Element.prototype.scrollTo = function scrollTo(this: Element) {
    this.scrollTop = 0;
  } as typeof Element.prototype.scrollTo;
});
afterEach(() => Reflect.deleteProperty(Element.prototype, 'scrollTo'));

function Frame() {
  const main = useRef<HTMLElement>(null);
  useScrollPlaces(main);
  return (
    <main ref={main} id="content">
      <Outlet />
    </main>
  );
}

const List = () => <div role="region" aria-label="Perangkat" />;

function show() {
  const children = [
    { path: '/devices', element: <List /> },
    { path: '/devices/:id', element: <p>one</p> },
  ];
  const router = createMemoryRouter([{ element: <Frame />, children }], { initialEntries: ['/devices'] });
  render(<RouterProvider router={router} />);
  return (to: string | -1) => act(() => router.navigate(to as string));
}

const list = () => screen.getByRole('region', { name: 'Perangkat' });

function scroll(element: Element, top: number) {
  element.scrollTop = top;
  fireEvent.scroll(element);
}

describe('the places of a screen', () => {
  it('are where they were when Back leads there, also by way of a drawer', async () => {
    const go = show();
    scroll(list(), 700);
    scroll(screen.getByRole('main'), 90);
    await go('/devices?open=a');
    await go('/devices/a');
    expect(screen.getByRole('main').scrollTop).toBe(0);
    await go(-1);
    expect([list().scrollTop, screen.getByRole('main').scrollTop]).toEqual([700, 90]);
  });

  it('are put back once the list is long enough', async () => {
    const go = show();
    scroll(list(), 700);
    await go('/devices/a');
    height = 600;
    await go(-1);
    expect(list().scrollTop).toBe(0);
    height = 2_000;
    await vi.waitFor(() => expect(list().scrollTop).toBe(700));
  });

  it('are not put back over who has scrolled already', async () => {
    const go = show();
    scroll(list(), 700);
    await go('/devices/a');
    height = 600;
    await go(-1);
    fireEvent.wheel(list());
    height = 2_000;
    await new Promise((frames) => requestAnimationFrame(() => requestAnimationFrame(frames)));
    expect(list().scrollTop).toBe(0);
  });
});
