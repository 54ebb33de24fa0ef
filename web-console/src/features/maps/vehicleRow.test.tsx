import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { LiveDevice, StateCounts } from '@/live/liveDevice';
import { renderAt } from '@/testing/render';
import { GroupRow } from './GroupRow';
import { VehicleRow } from './VehicleRow';

const DEVICE: LiveDevice = {
  id: 'v1',
  imei: '490154203237518',
  name: 'Truk Utara',
  vehicleCode: 'B 1234 CD',
  driver: '',
  iconType: 'truck',
  inactive: false,
  state: 'no_data',
  position: null,
};

function showRow(chosen: boolean, several: boolean) {
  const onChoose = vi.fn();
  const row = (
    <VehicleRow
      device={DEVICE}
      chosen={chosen}
      several={several}
      followed={false}
      tabIndex={0}
      onChoose={onChoose}
      onFollow={vi.fn()}
    />
  );
  renderAt(row, '/maps');
  return onChoose;
}
const row = () => screen.getByRole('button', { name: /Truk Utara/ });

describe('a vehicle in the list', () => {
  it('is chosen alone, beside others, or with all up to it, as the keys say', async () => {
    const onChoose = showRow(false, false);
    const user = userEvent.setup();
    await user.click(row());
    await user.keyboard('{Control>}');
    await user.click(row());
    await user.keyboard('{/Control}{Shift>}');
    await user.click(row());
    await user.keyboard('{/Shift}');
    await user.click(screen.getByRole('checkbox', { name: 'Pilih Truk Utara' }));
    expect(onChoose.mock.calls).toEqual([
      ['v1', 'only'],
      ['v1', 'toggle'],
      ['v1', 'range'],
      ['v1', 'toggle'],
    ]);
  });

  it('is added by Space and chosen alone by Enter, once each', async () => {
    const onChoose = showRow(false, false);
    row().focus();
    await userEvent.keyboard(' ');
    await userEvent.keyboard('{Enter}');
    fireEvent.keyDown(row(), { key: ' ', repeat: true });
    expect(onChoose.mock.calls).toEqual([
      ['v1', 'toggle'],
      ['v1', 'only'],
    ]);
  });

  it('says whether it is the one, or one of several', () => {
    showRow(true, false);
    expect([row().getAttribute('aria-current'), row().getAttribute('aria-pressed')]).toEqual(['true', null]);
    expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true);
  });

  it('is one among several', () => {
    showRow(true, true);
    expect([row().getAttribute('aria-current'), row().getAttribute('aria-pressed')]).toEqual([null, 'true']);
  });
});

describe('a group in the list', () => {
  const counts: StateCounts = { moving: 2, idle: 0, parked: 1, offline: 0, no_data: 0, alarm: 0 };

  it('says how many of its vehicles do what, and opens and closes', async () => {
    const onTurn = vi.fn();
    const head = { id: 'g', name: 'Jawa', depth: 1, isOpen: false, total: 3, counts };
    renderAt(<GroupRow head={head} tabIndex={0} onTurn={onTurn} />, '/maps');
    const group = screen.getByRole('button', { name: 'Jawa, 3, Bergerak 2, Parkir 1', expanded: false });
    await userEvent.click(group);
    await userEvent.keyboard('{ArrowRight}');
    // It is closed already.
    await userEvent.keyboard('{ArrowLeft}');
    expect(onTurn.mock.calls).toEqual([['g'], ['g']]);
  });

  it('has a name for those that are in none', () => {
    const head = { id: '', name: '', depth: 0, isOpen: true, total: 3, counts };
    renderAt(<GroupRow head={head} tabIndex={0} onTurn={vi.fn()} />, '/maps');
    expect(screen.getByRole('button', { name: /^Tanpa grup, 3/, expanded: true })).toBeTruthy();
  });
});
