import { MantineProvider, Modal } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { useOpened } from './useOpened';

function Dialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={useOpened(opened)} onClose={onClose} title="Dialog">
      <button>Inside</button>
    </Modal>
  );
}

function Screen() {
  const [opened, setOpened] = useState<boolean | null>(null);
  return (
    <MantineProvider env="test">
      <button onClick={() => setOpened(true)}>Opener</button>
      {opened !== null && <Dialog opened={opened} onClose={() => setOpened(false)} />}
    </MantineProvider>
  );
}

test('who opened a dialog that was not there before has the keyboard again', async () => {
  render(<Screen />);
  await userEvent.click(screen.getByRole('button', { name: 'Opener' }));
  await screen.findByRole('dialog');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Opener' })));
});
