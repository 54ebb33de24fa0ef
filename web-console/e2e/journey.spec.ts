import { expect, test, type Fix } from './armada';
import { newImei } from './imei';
import {
  connectionBar,
  createAdmin,
  createDevice,
  createTenant,
  fillFirstLogin,
  fillLogin,
  signIn,
  signOut,
  vehicleRow,
} from './steps';

const TENANT = 'Angkutan Merdeka';
const ADMIN = { name: 'Sari', email: 'sari@example.test', password: 'a good long password' };
const TRUCK = { name: 'Truk Satu', imei: newImei() };

const JAKARTA: Fix = { lat: -6.2, lng: 106.8, speed: 42, course: 90 };

test('from the first sign-in to a vehicle that moves, through a crash and back', async ({ page, armada }) => {
  const row = vehicleRow(page, TRUCK.name);
  const card = page.getByTestId('vehicle-card');

  await test.step('the owner makes a tenant and its administrator', async () => {
    await signIn(page, '/tenants');
    await createTenant(page, TENANT);
    await createAdmin(page, TENANT, ADMIN);
    await signOut(page);
  });

  await test.step('the administrator comes to the page that was asked for', async () => {
    await page.goto('/devices?sort=-name');
    await expect(page).toHaveURL(/\/auth\/login\?next=/);
    await fillFirstLogin(page, ADMIN);
    await expect(page).toHaveURL('/devices?sort=-name');
    await expect(page.getByRole('link', { name: 'Tenant' })).toHaveCount(0);
  });

  await test.step('a device is made and has no data yet', async () => {
    await createDevice(page, TRUCK.name, TRUCK.imei);
    await page.getByRole('link', { name: 'Peta' }).click();
    await expect(connectionBar(page)).toHaveAttribute('data-state', 'connected');
    await expect(row).toHaveAttribute('data-state', 'no_data');
  });

  await test.step('its first position appears on the map', async () => {
    await armada.publish(TRUCK.imei, JAKARTA);
    await expect(row).toHaveAttribute('data-state', 'moving');
    await expect(row).toContainText('42 km/jam');
    await expect(page.locator('canvas[data-vehicles-drawn]')).toHaveAttribute('data-vehicles-drawn', '1');
    await row.click();
    await expect(card).toHaveAttribute('data-lng', '106.8');
    await expect(page.locator('[aria-live=polite]').filter({ hasText: `${TRUCK.name} dipilih` })).toBeAttached();
    await expect(page).toHaveURL(/\/maps\?device_id=/);
  });

  await test.step('it moves', async () => {
    await armada.publish(TRUCK.imei, { ...JAKARTA, lng: 106.8002, speed: 57 });
    await expect(card).toContainText('57 km/jam');
    await expect(card).toHaveAttribute('data-lng', '106.8002');
  });

  await test.step('today is drawn as a line', async () => {
    await card.getByRole('button', { name: 'Jejak hari ini' }).click();
    await expect(card.getByRole('status').filter({ hasText: 'posisi' })).toHaveText('2 posisi hari ini');
    await expect(page.locator('.leaflet-overlay-pane path')).toHaveCount(1);
  });

  await test.step('the server dies, and the map comes back to life with it', async () => {
    await armada.kill();
    await expect(connectionBar(page)).toHaveAttribute('data-state', 'reconnecting');
    await expect(connectionBar(page).getByRole('button', { name: 'Hubungkan kembali' })).toBeVisible();
    await armada.run();
    await expect(connectionBar(page)).toHaveAttribute('data-state', 'connected');
    await armada.publish(TRUCK.imei, { ...JAKARTA, lng: 106.8004, speed: 33 });
    await expect(card).toHaveAttribute('data-lng', '106.8004');
    await expect(card).toContainText('33 km/jam');
  });

  await test.step('a link leads to the vehicle', async () => {
    await page.reload();
    await expect(card).toHaveAttribute('data-lng', '106.8004');
    await expect(card).toBeInViewport();
  });

  await test.step('signing out leads to the login page and leaves nothing behind', async () => {
    await signOut(page);
    await expect(page).toHaveURL('/auth/login');
    expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('token');
  });
});

test('what is refused, and what is held, is counted for the platform owner', async ({ page, armada }) => {
  const [refused, held] = ['863719010000013', '863719010000005'];
  await expect(armada.publish(refused, { ...JAKARTA, lat: 91 })).rejects.toThrow('latitude_out_of_range');
  await armada.publish(held, JAKARTA);
  await signIn(page, '/position-rejections');
  const messages = page.getByRole('region', { name: 'Pesan terbaru' });
  const row = (imei: string) => messages.getByRole('row').filter({ hasText: imei }).first();
  await expect(async () => {
    await page.getByRole('button', { name: 'Segarkan' }).click();
    await expect(row(refused)).toContainText('Lintang', { timeout: 2_000 });
  }).toPass();
  await expect(row(held)).toBeHidden();
  await page.getByRole('combobox', { name: 'Filter menurut alasan' }).click();
  await page.getByRole('option', { name: 'IMEI tidak dikenal (disimpan)' }).click();
  await expect(row(held)).toContainText('IMEI tidak dikenal (disimpan)');
  await expect(row(refused)).toBeHidden();
});

test('a wrong password is refused in words', async ({ page }) => {
  await page.goto('/auth/login');
  await page.getByRole('button', { name: 'Masuk' }).click();
  await expect(page.getByRole('alert')).toHaveText('Email dan kata sandi wajib diisi.');
  await fillLogin(page, { email: ADMIN.email, password: 'not this one' });
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page).toHaveURL('/auth/login');
});
