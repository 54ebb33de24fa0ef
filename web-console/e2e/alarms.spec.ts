import { enter, makeAdmin } from './accounts';
import { expect, test } from './armada';
import { expectNoViolations } from './axe';
import { newFleet } from './fleet';
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
  const badge = page.getByRole('link', { name: 'Alarm 1 alarm belum ditangani' });
  const button = card.getByRole('button', { name: 'Tandai ditangani: Tombol SOS' });
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
    const dialog = page.getByRole('dialog', { name: 'Tandai 1 alarm sudah ditangani?' });
    await dialog.getByLabel('Catatan (opsional)').fill('Sopir aman');
    await expectNoViolations(page);
    await dialog.getByRole('button', { name: 'Tandai ditangani' }).click();
    await expect(card).toHaveAttribute('data-state', 'moving');
    await expect(button).toHaveCount(0);
    await expect(badge).toHaveCount(0);
  });

  await test.step('the list says who it was, and what they said', async () => {
    await page.goto('/alarms?state=acknowledged');
    const alarm = page.getByRole('row').filter({ hasText: 'Tombol SOS' });
    await expect(alarm).toContainText('Rina');
    await expectNoViolations(page);
    await alarm.getByText('Sudah ditangani').click();
    await expect(page.getByRole('dialog', { name: 'Tombol SOS' }).getByText('Sopir aman')).toBeVisible();
  });
});
