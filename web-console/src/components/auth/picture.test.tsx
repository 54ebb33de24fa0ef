import { cleanup, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import Picture from './Picture';
import { thereAndBack } from './routes';

afterEach(() => vi.unstubAllGlobals());

async function show(reducedMotion: boolean) {
  cleanup();
  vi.stubGlobal('matchMedia', () => ({ matches: reducedMotion }));
  const { container } = render(
    <Suspense fallback={null}>
      <Picture />
    </Suspense>,
  );
  await screen.findByText('Seluruh armada Anda, di satu peta');
  return container;
}

it('has vehicles that go to towns and back, and stand still for who asks for no motion', async () => {
  expect((await show(false)).querySelectorAll('animateMotion[rotate=auto]')).toHaveLength(12);
  const still = await show(true);
  expect(still.querySelectorAll('animateMotion')).toHaveLength(0);
  expect(still.querySelectorAll('svg > g')).toHaveLength(12);
});

it('goes back the way that it came', () => {
  const towns = [
    [94.5, 6.5],
    [95.5, 6.5],
    [95.5, 5.5],
  ] as const;
  expect(thereAndBack({ towns, stop: 'idle', seconds: 1 })).toBe('M0 0L20 0L20 20L20 0L0 0');
});
