import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useFocusReturn } from './useFocusReturn';

function Dialog() {
  useFocusReturn();
  return (
    <div role="dialog" aria-label="Dialog">
      <button>Inside</button>
    </div>
  );
}

function Screen({ isOpen, hasOpener = true }: { isOpen: boolean; hasOpener?: boolean }) {
  return (
    <main tabIndex={-1}>
      {hasOpener && <button>Opener</button>}
      <button>Elsewhere</button>
      {isOpen && <Dialog />}
    </main>
  );
}

const button = (name: string) => screen.getByRole('button', { name });

function openDialog() {
  const { rerender } = render(<Screen isOpen={false} />);
  button('Opener').focus();
  rerender(<Screen isOpen />);
  button('Inside').focus();
  return rerender;
}

test('who opened it has the keyboard again', () => {
  const rerender = openDialog();
  rerender(<Screen isOpen={false} />);
  expect(document.activeElement).toBe(button('Opener'));
});

test('the screen has it when that is gone as well', () => {
  const rerender = openDialog();
  rerender(<Screen isOpen={false} hasOpener={false} />);
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

test('who has gone on meanwhile is left where they are', () => {
  const rerender = openDialog();
  button('Elsewhere').focus();
  rerender(<Screen isOpen={false} />);
  expect(document.activeElement).toBe(button('Elsewhere'));
});
