import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { DriverAssignment } from '@/api/generated';
import type { Driver } from '@/api/types';
import { ResourceListPage } from '@/resource/ResourceListPage';
import { signedIn } from '@/session/sessionSlice';
import { createStore } from '@/store';
import { renderAt } from '@/testing/render';
import { at, server, setUpTestServer } from '@/testing/server';
import { loginAnswer } from '@/testing/tokens';
import drivers from './drivers.resource';

setUpTestServer();

const driver = (id: string, name: string): Driver => ({
  id,
  tenant_id: 'tenant-1',
  name,
  status: 'available',
  phone: '0812-3456',
  email: '',
  license_number: '',
  license_class: '',
  license_expiry: '',
  vehicle_type: 'Fuso',
  license_plate: 'B 1 X',
  home_base: '',
  identification: '',
  notes: '',
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  row_version: 1,
});
const assignment = (of: string, vehicle: string, until?: string): DriverAssignment => ({
  id: `${of} ${vehicle}`,
  tenant_id: 'tenant-1',
  driver_id: of,
  driver_name: of,
  device_id: vehicle,
  device_name: vehicle,
  assigned_from: '2026-11-01T00:00:00Z',
  assigned_until: until,
});
const ENDED = '2026-11-02T00:00:00Z';
const ALL = [assignment('ani', 'Truk 1'), assignment('ani', 'Truk 2', ENDED), assignment('budi', 'Truk 3', ENDED)];

/** The list of two drivers; the server says of all assignments that there are so many. */
function show(total: number, address = '/drivers') {
  const asked: (string | null)[] = [];
  const people = [driver('ani', 'Ani'), driver('budi', 'Budi')];
  server.use(
    http.get(at('/api/v1/drivers'), () => HttpResponse.json({ items: people, total: 2 })),
    http.get(at('/api/v1/drivers/:id'), ({ params }) => HttpResponse.json(people.find(({ id }) => id === params.id))),
    http.get(at('/api/v1/driver-assignments'), ({ request }) => {
      const of = new URL(request.url).searchParams.get('driver_id');
      asked.push(of);
      const items = ALL.filter((each) => of === null || each.driver_id === of);
      return HttpResponse.json({ items: of === null && total > ALL.length ? [] : items, total });
    }),
  );
  const store = createStore();
  store.dispatch(signedIn(loginAnswer({ permissions: ['driver:list', 'driver:update'] })));
  renderAt(<ResourceListPage resource={drivers} />, address, store);
  return asked;
}
const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });

it('says in one call which vehicle each of them drives now, and what was noted only of who drives none', async () => {
  const asked = show(ALL.length);
  expect(await within(await row('Ani')).findByText('Truk 1')).toBeTruthy();
  expect(within(await row('Ani')).queryByText(/B 1 X/)).toBeNull();
  expect(await within(await row('Budi')).findByText('Catatan: B 1 X · Fuso')).toBeTruthy();
  expect(asked).toEqual([null]);
});

it('asks for each of them where there are more than one answer holds', async () => {
  const asked = show(9_000);
  expect(await within(await row('Ani')).findByText('Truk 1')).toBeTruthy();
  expect(await within(await row('Budi')).findByText('Catatan: B 1 X · Fuso')).toBeTruthy();
  expect([...asked].sort()).toEqual(['ani', 'budi', null]);
});

it('opens on what a driver does now, without anything to type into', async () => {
  show(ALL.length, '/drivers?open=ani');
  const drawer = within(await screen.findByRole('dialog', { name: 'Ani' }));
  const now = within(await drawer.findByRole('region', { name: 'Kendaraan sekarang' }));
  expect(await now.findByText('Truk 1')).toBeTruthy();
  expect(await drawer.findByRole('link', { name: 'Telepon Ani, 0812-3456' })).toBeTruthy();
  expect(drawer.queryAllByRole('textbox')).toEqual([]);
});
