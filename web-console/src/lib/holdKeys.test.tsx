import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { holdKeys } from './holdKeys';

function Field() {
  const [text, setText] = useState('');
  return <input aria-label="Field" value={text} onChange={(event) => setText(event.currentTarget.value)} />;
}

test('what is typed while a field opens is in the field, and nobody else hears of it', async () => {
  const shortcut = vi.fn();
  document.addEventListener('keydown', shortcut);
  render(<Field />);
  holdKeys();
  await userEvent.keyboard('bogi{Backspace}or');
  expect(shortcut).not.toHaveBeenCalled();
  act(() => screen.getByLabelText('Field').focus());
  expect(screen.getByLabelText('Field')).toHaveProperty('value', 'bogor');
  await userEvent.keyboard('!');
  expect(screen.getByLabelText('Field')).toHaveProperty('value', 'bogor!');
  expect(shortcut).toHaveBeenCalledOnce();
  document.removeEventListener('keydown', shortcut);
});

test('a field may take long to come on a poor line', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    render(<Field />);
    holdKeys();
    fireEvent.keyDown(document.body, { key: 'a' });
    vi.advanceTimersByTime(20_000);
    act(() => screen.getByLabelText('Field').focus());
    expect(screen.getByLabelText('Field')).toHaveProperty('value', 'a');
  } finally {
    vi.useRealTimers();
  }
});

test('Escape gives the keys back', async () => {
  const shortcut = vi.fn();
  document.addEventListener('keydown', shortcut);
  holdKeys();
  await userEvent.keyboard('a{Escape}b');
  expect(shortcut.mock.calls.map(([event]: KeyboardEvent[]) => event?.key)).toEqual(['Escape', 'b']);
  document.removeEventListener('keydown', shortcut);
});
