import { enter } from './accounts';
import { expect, test } from './armada';
import { expectNoViolations } from './axe';
import { newFleet } from './fleet';
import { newImei } from './imei';

const TRUCK = { name: 'Truk Kabin', imei: newImei() };

test('an alarm that nobody knows is listed, and is what the platform owner says from then on', async ({
  page,
  armada,
}) => {
  const name = `kabin_${Date.now().toString(36)}`;
  await newFleet(armada, 'Kabin Jaya', [TRUCK]);
  const place = { lat: -6.2, lng: 106.8, speed: 40 };
  await armada.publish(TRUCK.imei, { ...place, alarm: name });
  await enter(page, '/alarm-names');
  const row = page.getByRole('row').filter({ hasText: name });

  await test.step('it is a warning as it is sent', async () => {
    await expect(async () => {
      await page.reload();
      await expect(row).toContainText('Sesuai kiriman (peringatan)', { timeout: 1_000 });
    }).toPass();
    await expectNoViolations(page);
  });

  await test.step('it is said to be a door', async () => {
    await page.getByRole('button', { name, exact: true }).click();
    const drawer = page.getByRole('dialog', { name, exact: true });
    await drawer.getByRole('combobox', { name: /^Dianggap sebagai/ }).click();
    await page.getByRole('option', { name: 'Pintu dibuka' }).click();
    await expectNoViolations(page, '[role=dialog]');
    await drawer.getByRole('button', { name: 'Simpan' }).click();
    await expect(row).toContainText('Pintu dibuka');
  });

  await test.step('from then on it is one', async () => {
    await armada.publish(TRUCK.imei, { ...place, lat: -6.201 });
    await armada.publish(TRUCK.imei, { ...place, lat: -6.202, alarm: name });
    await page.goto('/alarms');
    const alarm = page.getByRole('row').filter({ hasText: 'Pintu dibuka' }).filter({ hasText: TRUCK.name });
    await expect(alarm).toBeVisible();
  });
});
