import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { MemoryRouter, useLocation } from 'react-router';
import { expect, it } from 'vitest';
import { useAddress } from './address';

/** Two changes in a row, with what is done between them. */
function Screen() {
  const { change } = useAddress();
  const [more, setMore] = useState(false);
  const both = (between?: () => void) => {
    change((search) => search.set('to', 'budi'));
    between?.();
    change((search) => search.set('from', 'sari'));
  };
  return (
    <>
      <button onClick={() => both()}>at once</button>
      {/* The navigation waits while the new part comes. */}
      <button onClick={() => both(() => flushSync(() => setMore(true)))}>around a new part</button>
      <output>{useLocation().search}</output>
      {more && <More />}
    </>
  );
}

/** A part of a screen that has to do with the address, too. */
const More = () => <p>{useAddress().search.size}</p>;

it.each(['at once', 'around a new part'])('keeps both of two changes: %s', (name) => {
  render(<Screen />, { wrapper: MemoryRouter });
  fireEvent.click(screen.getByRole('button', { name }));
  expect(screen.getByRole('status').textContent).toBe('?to=budi&from=sari');
});

it('begins anew on a screen that is shown again', () => {
  const { unmount } = render(<Screen />, { wrapper: MemoryRouter });
  fireEvent.click(screen.getByRole('button', { name: 'at once' }));
  unmount();
  render(<Only />, { wrapper: MemoryRouter });
  fireEvent.click(screen.getByRole('button'));
  expect(screen.getByRole('status').textContent).toBe('?q=x');
});

function Only() {
  const { change } = useAddress();
  return (
    <>
      <button onClick={() => change((search) => search.set('q', 'x'))}>q</button>
      <output>{useLocation().search}</output>
    </>
  );
}
