import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderAt } from '@/testing/render';
import { ConfirmDialog } from './ConfirmDialog';

it('asks from within a form without being one, and without sending it', async () => {
  const [onSubmit, onConfirm] = [vi.fn(), vi.fn()];
  renderAt(
    <form onSubmit={onSubmit}>
      <ConfirmDialog
        opened
        title="Hapus Truk 1?"
        text="Semua datanya hilang."
        confirmLabel="Hapus"
        typeName="Truk 1"
        onConfirm={onConfirm}
        onCancel={vi.fn()}
      />
    </form>,
    '/devices',
  );
  const name = screen.getByRole('textbox');
  await userEvent.type(name, 'Truk{Enter}');
  expect(onConfirm).not.toHaveBeenCalled();
  await userEvent.type(name, ' 1{Enter}');
  expect(onConfirm).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByRole('button', { name: 'Hapus' }));
  expect(onConfirm).toHaveBeenCalledTimes(2);
  expect(onSubmit).not.toHaveBeenCalled();
  expect(document.querySelector('form form')).toBeNull();
});
