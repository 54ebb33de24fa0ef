import type { Page } from '@playwright/test';
import { expect, test } from './armada';
import { newImei } from './imei';
import { makeUser } from './accounts';
import { newFleet, ownerToken } from './fleet';
import { connectionBar, signIn, vehicleRow } from './steps';

const TENANT = 'Angkutan Tahan Uji';
const ADMIN = { name: 'Ratna', email: 'ratna@example.test', password: 'a good long password' };
const TRUCK = { name: 'Truk Tahan', imei: newImei() };

/** Tokens live a few seconds, so that they end in the middle of everything. */
test.use({ config: '[identity]\naccess_token_seconds = 6\n' });

const banner = (page: Page) => page.getByTestId('connection-banner');

/** Waits until the token in the browser is worth nothing any more. */
const tokenExpired = (page: Page) =>
  page.waitForFunction(() => {
    const claims = JSON.parse(localStorage.getItem('claims') ?? '{}') as { expiresAt?: number };
    return (claims.expiresAt ?? Infinity) < Date.now();
  });

const listRow = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test.beforeAll(async ({ armada }) => {
  const { tenantId } = await newFleet(armada, TENANT, [TRUCK]);
  await makeUser(armada, await ownerToken(armada), { ...ADMIN, tenant_id: tenantId, is_tenant_admin: true });
});

test('a form outlives its token and its server', async ({ page, armada }) => {
  await signIn(page, '/devices', ADMIN);
  await page.getByRole('button', { name: 'Tambah perangkat' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Perangkat baru' });
  await drawer.getByLabel('Nama', { exact: false }).first().fill('Truk Baru');
  const imei = newImei();
  await armada.kill();
  await tokenExpired(page);
  await drawer.getByLabel('IMEI', { exact: false }).first().fill(imei);
  await drawer.getByRole('button', { name: 'Tambah perangkat' }).click();
  await expect(drawer.getByText('Server tidak dapat dihubungi', { exact: false })).toBeVisible();
  await expect(banner(page)).toHaveAttribute('data-network', 'unreachable');

  await armada.run();
  await expect(banner(page)).toHaveAttribute('data-network', 'up');
  await expect(drawer.getByLabel('Nama', { exact: false }).first()).toHaveValue('Truk Baru');
  await drawer.getByRole('button', { name: 'Tambah perangkat' }).click();
  await expect(drawer).toBeHidden();
  await expect(listRow(page, 'Truk Baru')).toBeVisible();
});

test('lists and map come back with the server, without a reload', async ({ page, armada }) => {
  await signIn(page, '/maps', ADMIN);
  await expect(connectionBar(page)).toHaveAttribute('data-state', 'connected');
  await expect(vehicleRow(page, TRUCK.name)).toBeVisible();
  await page.evaluate(() => ((window as { sameDocument?: boolean }).sameDocument = true));
  await armada.kill();
  await expect(banner(page)).toHaveAttribute('data-network', 'unreachable');
  await expect(banner(page)).toContainText('Server tidak dapat dihubungi.');
  await expect(vehicleRow(page, TRUCK.name)).toBeVisible();
  await armada.run();
  await expect(banner(page)).toHaveAttribute('data-network', 'up');
  await expect(connectionBar(page)).toHaveAttribute('data-state', 'connected');
  await armada.publish(TRUCK.imei, { lat: -6.2, lng: 106.8, speed: 42 });
  await expect(vehicleRow(page, TRUCK.name)).toContainText('42 km/jam');

  await page.getByRole('link', { name: 'Perangkat', exact: true }).click();
  await expect(listRow(page, TRUCK.name)).toBeVisible();
  await armada.kill();
  // A list that was not asked for before cannot be shown now, and is when the server is back.
  await page.getByRole('button', { name: 'Nama', exact: true }).click();
  await expect(banner(page)).toHaveAttribute('data-network', 'unreachable');
  await armada.run();
  await expect(banner(page)).toHaveAttribute('data-network', 'up');
  await expect(listRow(page, TRUCK.name)).toBeVisible();
  await expect(page).toHaveURL(/sort=/);
  expect(await page.evaluate(() => (window as { sameDocument?: boolean }).sameDocument)).toBe(true);
});

test('a laptop that slept renews its session before anything else', async ({ page }) => {
  await page.clock.install();
  await signIn(page, '/devices', ADMIN);
  await expect(listRow(page, TRUCK.name)).toBeVisible();
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 401) refused.push(response.url());
  });
  const renewed = page.waitForResponse((response) => response.url().endsWith('/auth/refresh'));
  const listed = page.waitForResponse((response) => response.url().includes('/api/v1/devices'));
  // As closing the lid does: what was due meanwhile happens once.
  await page.clock.fastForward('08:00:00');
  expect((await renewed).status()).toBe(200);
  expect((await listed).status()).toBe(200);
  await expect(listRow(page, TRUCK.name)).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(refused).toEqual([]);
});

test('a browser without network says what to do, and goes on by itself', async ({ page, context }) => {
  await signIn(page, '/devices', ADMIN);
  await expect(listRow(page, TRUCK.name)).toBeVisible();
  await context.setOffline(true);
  await expect(banner(page)).toHaveAttribute('data-network', 'offline');
  await expect(banner(page)).toContainText('Tidak ada koneksi internet.');
  await context.setOffline(false);
  await expect(banner(page)).toHaveAttribute('data-network', 'up');
  await expect(listRow(page, TRUCK.name)).toBeVisible();
});
