import type { Page } from '@playwright/test';
import { enter, makeAdmin } from './accounts';
import { expect, test } from './armada';
import { newFleet, trucks } from './fleet';
import { vehicleRow } from './steps';

const canvas = (page: Page) => page.locator('canvas[data-vehicles-drawn]');

/** Switches a device on or off in its form; `warning` is said before. */
async function setStatus(page: Page, id: string, status: 'Aktif' | 'Nonaktif', warning: RegExp): Promise<void> {
  await page.goto(`/devices?open=${id}&tab=edit`);
  const form = page.getByRole('dialog');
  // A list that opens while the form still does may close again with it.
  await expect(async () => {
    await form.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: status, exact: true }).click({ timeout: 2_000 });
  }).toPass();
  await form.getByRole('button', { name: 'Simpan perubahan' }).click();
  await expect(page.getByText(warning)).toBeVisible();
  await page.getByRole('button', { name: 'Simpan', exact: true }).click();
  await expect(form).toHaveCount(0);
}

test('an inactive device leaves the map until it is active again or asked for', async ({ page, request, armada }) => {
  const { tenantId, devices } = await newFleet(armada, 'Istirahat Jaya', trucks(2));
  const [first, second] = devices;
  if (!first || !second) throw new Error('the fleet has two devices');
  // Of this tenant alone: what other journeys drive about is not counted.
  await enter(page, '/maps', await makeAdmin(request, armada, 'Rina', tenantId));
  await armada.publish(first.imei, { lat: -6.1, lng: 106.8, speed: 30 });
  // So near that it is in view also when the map opened on the first one alone.
  await armada.publish(second.imei, { lat: -6.11, lng: 106.8, speed: 30 });
  await expect(canvas(page)).toHaveAttribute('data-vehicles-drawn', '2');
  await expect(page.getByRole('button', { name: /^Bergerak\s*2$/ })).toBeVisible();

  await setStatus(page, first.id, 'Nonaktif', /^Perangkat ini hilang dari peta/);
  const toast = await page.getByRole('alert').filter({ hasText: 'Perangkat berhasil diperbarui.' }).boundingBox();
  // It lies over nothing that is pressed: the acts of the screen, and where a drawer is saved.
  const act = await page.getByRole('button', { name: 'Tambah perangkat' }).boundingBox();
  expect(toast && act && (toast.x + toast.width < act.x || toast.y > act.y + act.height)).toBe(true);
  expect(toast && toast.y + toast.height).toBeLessThan(200);

  await page.goto('/maps');
  await expect(canvas(page)).toHaveAttribute('data-vehicles-drawn', '1');
  await expect(page.getByRole('button', { name: /^Bergerak\s*1$/ })).toBeVisible();
  await expect(vehicleRow(page, second.name)).toBeVisible();
  await expect(vehicleRow(page, first.name)).toHaveCount(0);

  // Its positions are taken in all the same, and who asks for it sees it.
  await armada.move(first.imei, { lat: -6.15, lng: 106.8, speed: 30 });
  await page.goto(`/maps?device_id=${first.id}`);
  await expect(page.getByTestId('vehicle-card')).toHaveAttribute('data-lat', '-6.15');
  await expect(page.getByTestId('vehicle-card')).toContainText('Perangkat ini nonaktif');

  await setStatus(page, first.id, 'Aktif', /^Perubahan langsung berlaku/);
  await page.goto('/maps');
  await expect(canvas(page)).toHaveAttribute('data-vehicles-drawn', '2');
});
