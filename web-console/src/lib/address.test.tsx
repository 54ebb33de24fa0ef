import { act, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { MemoryRouter, useLocation } from 'react-router';
import { expect, it } from 'vitest';
import { useAddress, type ChangeAddress } from './address';

let change: ChangeAddress;
let showMore: () => void;

function Screen() {
  const [more, setMore] = useState(false);
  ({ change } = useAddress());
  showMore = () => setMore(true);
  return (
    <>
      <output>{useLocation().search}</output>
      {more && <More />}
    </>
  );
}

/** A part of a screen that has to do with the address, too. */
const More = () => <p>{useAddress().search.size}</p>;

const put = (name: string, value: string) => change((search) => search.set(name, value));

it('keeps both of two changes in a row', () => {
  render(<Screen />, { wrapper: MemoryRouter });
  act(() => {
    put('to', 'budi');
    put('from', 'sari');
  });
  expect(screen.getByRole('status').textContent).toBe('?to=budi&from=sari');
});

it('keeps them when a part of the screen begins between them', async () => {
  render(<Screen />, { wrapper: MemoryRouter });
  // The navigation waits while the new part comes at once.
  await act(async () => {
    put('to', 'budi');
    flushSync(showMore);
    put('from', 'sari');
  });
  expect(screen.getByRole('status').textContent).toBe('?to=budi&from=sari');
});
