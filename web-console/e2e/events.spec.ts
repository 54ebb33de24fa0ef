import { enter, makeAdmin } from './accounts';
import { expect, test } from './armada';
import { expectNoViolations } from './axe';
import { newFleet } from './fleet';
import { newImei } from './imei';

const TRUCK = { name: 'Truk Kejadian', imei: newImei() };

test('what happens to a vehicle is told at once, listed, and found on its way', async ({ page, request, armada }) => {
  const { tenantId, devices } = await newFleet(armada, 'Kejadian Jaya', [TRUCK]);
  const [truck = { id: '' }] = devices;
  const place = { lat: -6.2, lng: 106.8, speed: 40 };
  await enter(page, '/', await makeAdmin(request, armada, 'Rina', tenantId));
  const recent = page.getByRole('region', { name: 'Aktivitas terbaru' });
  const alarms = page.getByRole('region', { name: 'Hari ini', exact: true }).getByRole('link', { name: 'Alarm 1' });
  await expect(recent.getByText(/^Belum ada kejadian/)).toBeVisible();

  await test.step('an alarm appears on the first screen by itself', async () => {
    await armada.publish(TRUCK.imei, { ...place, ignition: true });
    await armada.publish(TRUCK.imei, { ...place, lat: -6.2001, ignition: true, alarm: 'sos' });
    await expect(recent.getByText('Tombol SOS')).toBeVisible();
    await expect(alarms).toBeVisible();
    await expectNoViolations(page);
  });

  await test.step('a number leads to its events', async () => {
    await alarms.click();
    await expect(page).toHaveURL(/\/events\?kind=/);
    await armada.publish(TRUCK.imei, { ...place, lat: -6.2002, ignition: false });
    await expect(page.getByRole('row').filter({ hasText: 'Tombol SOS' })).toHaveCount(1);
    await expect(page.getByRole('row').filter({ hasText: 'Kontak OFF' })).toHaveCount(0);
  });

  await test.step('one is looked at, and found in the playback', async () => {
    await page.getByRole('row').filter({ hasText: 'Tombol SOS' }).getByRole('cell').first().click();
    const drawer = page.getByRole('dialog', { name: 'Tombol SOS' });
    await expect(drawer.getByText('40 km/jam')).toBeVisible();
    await expectNoViolations(page);
    await drawer.getByRole('link', { name: 'Lihat di riwayat' }).click();
    await page.getByRole('tab', { name: 'Kejadian' }).click();
    const events = page.getByRole('tabpanel', { name: 'Kejadian' });
    await expect(events.getByRole('button', { name: /Tombol SOS/ })).toBeVisible();
    await expect(page.getByTestId('event-marks')).toHaveAttribute('data-marks', '1');
  });

  await test.step('the page of the vehicle has them, too', async () => {
    await page.goto(`/devices/${truck.id}`);
    await page.getByRole('tab', { name: 'Kejadian' }).click();
    await expect(page.getByRole('button', { name: 'Kontak OFF' })).toBeVisible();
  });
});
