import { enter, makeAdmin } from './accounts';
import { expect, test } from './armada';
import { expectNoViolations } from './axe';
import { call, newFleet, ownerToken } from './fleet';
import { newImei } from './imei';

const TRUCK = { name: 'Truk Darurat', imei: newImei() };

test('an alarm stays red on the map until somebody acknowledges it, and the list says who', async ({
  page,
  request,
  armada,
}) => {
  const { tenantId, devices } = await newFleet(armada, 'Alarm Jaya', [TRUCK]);
  const [truck = { id: '' }] = devices;
  const place = { lat: -6.2, lng: 106.8, speed: 40 };
  await armada.publish(TRUCK.imei, place);
  await enter(page, `/maps?device_id=${truck.id}`, await makeAdmin(request, armada, 'Rina', tenantId));
  const card = page.getByTestId('vehicle-card');
  const badge = page.getByRole('link', { name: 'Alarm 1 alarm belum ditanggapi' });
  const button = card.getByRole('button', { name: 'Tanggapi: Tombol SOS' });
  await expect(card).toHaveAttribute('data-state', 'moving');

  await test.step('it appears by itself, on the map, in its list and in the sidebar', async () => {
    await armada.publish(TRUCK.imei, { ...place, lat: -6.201, alarm: 'sos' });
    await expect(card).toHaveAttribute('data-state', 'alarm');
    await expect(button).toBeVisible();
    await expect(badge).toBeVisible();
    await expectNoViolations(page);
  });

  await test.step('it stands although the tracker says no more of it', async () => {
    await armada.publish(TRUCK.imei, { ...place, lat: -6.202 });
    await expect(card).toHaveAttribute('data-lat', '-6.202');
    await expect(card).toHaveAttribute('data-state', 'alarm');
  });

  await test.step('it is acknowledged, with a note', async () => {
    await button.click();
    const dialog = page.getByRole('dialog', { name: 'Tanggapi Tombol SOS, Truk Darurat?' });
    await dialog.getByLabel('Catatan (opsional)').fill('Sopir aman');
    await expectNoViolations(page);
    await dialog.getByRole('button', { name: 'Tanggapi' }).click();
    await expect(card).toHaveAttribute('data-state', 'moving');
    await expect(button).toHaveCount(0);
    await expect(badge).toHaveCount(0);
  });

  await test.step('the list says who it was, and what they said', async () => {
    await page.goto('/alarms?state=acknowledged');
    const alarm = page.getByRole('row').filter({ hasText: 'Tombol SOS' });
    await expect(alarm).toContainText('Rina');
    await expectNoViolations(page);
    await alarm.getByText('Tombol SOS').click();
    await expect(page.getByRole('dialog', { name: 'Tombol SOS' }).getByText('Sopir aman')).toBeVisible();
    await expectNoViolations(page);
  });
});

test('an alarm arrives on any screen of a phone, and is seen to from there', async ({ page, request, armada }) => {
  const { tenantId } = await newFleet(armada, 'Alarm Maju', []);
  const token = await ownerToken(armada);
  const driver = { tenant_id: tenantId, name: 'Agus Salim', phone: '+62 812-0000-1111' };
  const { id } = await call<{ id: string }>(armada, 'POST', '/api/v1/drivers', driver, token);
  const named = { name: 'Truk Darurat 2', vehicle_code: 'B 9125 KCD', primary_driver_id: id };
  const truck = { ...named, imei: newImei(), tenant_id: tenantId };
  await call(armada, 'POST', '/api/v1/devices', truck, token);
  const place = { lat: -6.2, lng: 106.8, speed: 40 };
  await armada.publish(truck.imei, place);
  await page.setViewportSize({ width: 390, height: 844 });
  await enter(page, '/devices', await makeAdmin(request, armada, 'Rini', tenantId));
  const bell = page.getByTestId('alarm-bell');
  const bar = page.getByRole('region', { name: 'Alarm paling mendesak' });
  await expect(bell).toHaveAccessibleName('Tidak ada alarm yang belum ditanggapi');

  await test.step('bar, bell and title tell of it', async () => {
    await armada.publish(truck.imei, { ...place, lat: -6.201, alarm: 'sos' });
    await expect(bar).toContainText('Tombol SOS · Truk Darurat 2');
    await expect(bar).toContainText('B 9125 KCD');
    await expect(bar.getByRole('link', { name: 'Telepon Agus Salim' })).toHaveAttribute('href', 'tel:+6281200001111');
    await expect(bell).toHaveAccessibleName('1 alarm belum ditanggapi');
    await expect(page).toHaveTitle('(1) Perangkat · Armada');
    await expect(page.getByTestId('alarm-announcer')).toHaveText('Alarm baru: Tombol SOS, Truk Darurat 2');
    await expectNoViolations(page);
  });

  await test.step('who comes later sees it and is told no news', async () => {
    await page.reload();
    await expect(bar).toBeVisible();
    await expect(page.getByTestId('alarm-announcer')).toHaveText('');
    await bell.click();
    await expect(page.getByRole('list', { name: 'Alarm yang belum ditanggapi' }).getByRole('listitem')).toHaveCount(1);
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
  });

  await test.step('its drawer holds the whole act', async () => {
    await bar.getByRole('link', { name: /^Tombol SOS/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Tombol SOS, Truk Darurat 2' });
    await expect(drawer.getByRole('link', { name: 'Telepon Agus Salim' })).toBeVisible();
    await expect(drawer.getByRole('button', { name: /^Tanggapi/ })).toBeVisible();
    await expect(drawer.locator('.leaflet-container')).toBeVisible();
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await page.goto('/devices');
  });

  await test.step('it is acknowledged in the bar', async () => {
    await bar.getByRole('button', { name: 'Tanggapi' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tanggapi Tombol SOS, Truk Darurat 2?' });
    await dialog.getByRole('button', { name: 'Tanggapi' }).click();
    await expect(bar).toHaveCount(0);
    await expect(page).toHaveTitle('Perangkat · Armada');
  });
});
