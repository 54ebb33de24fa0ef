import { act, renderHook } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { useManagerAddress } from './useManagerAddress';

it('keeps what was chosen before the screen shows it, and links nobody to themselves', () => {
  const { result } = renderHook(() => useManagerAddress(), { wrapper: MemoryRouter });
  const choose = result.current[1];
  act(() => {
    choose({ to: 'budi' });
    choose({ from: ['sari', 'joko'] });
    choose({ until: '2099-12-31' });
  });
  expect(result.current[0]).toMatchObject({ to: 'budi', from: ['sari', 'joko'], until: '2099-12-31' });
  act(() => result.current[1]({ to: 'sari' }));
  expect(result.current[0]).toMatchObject({ to: 'sari', from: ['joko'], until: '2099-12-31' });
});
