import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router';
import { expect, it, vi } from 'vitest';
import { live } from '@/live/live';
import type { LiveDevice } from '@/live/liveDevice';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import { Palette } from './Palette';
import { useRememberVehicles, vehicleAt } from './recentVehicles';

setUpTestServer();

const [ONE, OTHER] = ['0198f3a2-0000-7000-8000-000000000001', '0198f3a2-0000-7000-8000-000000000002'];
const vehicle: LiveDevice = {
  id: ONE,
  imei: '',
  name: 'Truk 7',
  vehicleCode: 'B 9012 TXU',
  driver: '',
  iconType: 'truck',
  inactive: false,
  state: 'moving',
  position: null,
};

it('knows from an address which vehicle is looked at', () => {
  expect(vehicleAt(`/devices/${ONE}`, '')).toBe(ONE);
  expect(vehicleAt('/devices', `?q=a&open=${ONE}&tab=now`)).toBe(ONE);
  expect(vehicleAt('/maps', `?device_id=${ONE}`)).toBe(ONE);
  expect(vehicleAt('/maps', `?device_id=${ONE},${OTHER}`)).toBeNull();
  expect(vehicleAt('/playback', `?device_id=${ONE}&device_id=${OTHER}`)).toBeNull();
  expect(vehicleAt('/devices', '?open=new')).toBeNull();
  expect(vehicleAt('/devices/deleted', '')).toBeNull();
  expect(vehicleAt('/users', `?open=${ONE}`)).toBeNull();
});

function Shown() {
  useRememberVehicles();
  return (
    <>
      <Palette opened onClose={() => undefined} actions={[]} />
      <output>{useLocation().pathname + useLocation().search}</output>
    </>
  );
}

it('begins with the vehicles that were looked at last, their plates and what they do', async () => {
  vi.spyOn(live, 'device').mockImplementation((id) => (id === ONE ? vehicle : null));
  localStorage.setItem('recent_vehicles.user-1', JSON.stringify([ONE, OTHER]));
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ person: 'user-1' })));
  renderAt(<Shown />, `/maps?device_id=${OTHER}`, store);
  const line = await screen.findByRole('button', { name: /^Truk 7/ });
  expect(line.textContent).toContain('B 9012 TXU · Bergerak');
  expect(JSON.parse(localStorage.getItem('recent_vehicles.user-1') ?? '')).toEqual([OTHER, ONE]);
  await userEvent.click(line);
  expect(await screen.findByText(`/devices?open=${ONE}`)).toBeTruthy();
});
