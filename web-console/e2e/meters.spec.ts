import { expect, test } from './armada';
import { enter, makeAdmin } from './accounts';
import { expectNoViolations } from './axe';
import { newFleet } from './fleet';
import { newImei } from './imei';

test('the odometer of a vehicle is corrected, shows on the map, and is taken back', async ({
  page,
  request,
  armada,
}) => {
  const { tenantId, devices } = await newFleet(armada, 'Angkutan Terukur', [{ name: 'Truk 1' }]);
  const [truck] = devices;
  const admin = await makeAdmin(request, armada, 'Wulan', tenantId);
  await armada.publish(truck?.imei ?? '', { lat: -6.2, lng: 106.8, speed: 0, odometer: 8_500_000, ignition: true });
  await enter(page, `/devices?open=${truck?.id}&tab=meters`, admin);
  const drawer = page.getByRole('dialog', { name: 'Truk 1', exact: true });
  const part = drawer.getByRole('tabpanel', { name: 'Odometer & jam mesin' });
  const odometer = part.getByRole('region', { name: 'Odometer' });

  await test.step('what the tracker says is read', async () => {
    await expect(odometer).toContainText('8.500 km');
    await expect(odometer).toContainText('Dari perangkat');
    await expectNoViolations(page, '[role=dialog]');
  });

  await test.step('it is corrected, with before and after in sight', async () => {
    await part.getByRole('button', { name: 'Koreksi', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Koreksi odometer & jam mesin Truk 1', exact: true });
    await form.getByLabel('Odometer').fill('120000');
    await form.getByLabel('Alasan').fill('Speedometer diganti di bengkel');
    await expect(form.getByRole('status')).toContainText('8.500 km → 120.000 km');
    await expectNoViolations(page, '[role=dialog]');
    await form.getByRole('button', { name: 'Lanjutkan' }).click();
    const question = page.getByRole('dialog', { name: 'Koreksi odometer & jam mesin Truk 1?' });
    await expect(question).toContainText('8.500 km → 120.000 km');
    await question.getByRole('button', { name: 'Koreksi' }).click();
    await expect(form).toBeHidden();
    await expect(odometer).toContainText('120.000 km');
    const correction = part.getByRole('region', { name: 'Koreksi' }).getByRole('listitem');
    await expect(correction).toContainText('Speedometer diganti di bengkel');
    await expect(correction).toContainText('Wulan');
  });

  await test.step('the map shows it of a vehicle that stands', async () => {
    await page.goto(`/maps?device_id=${truck?.id}`);
    await expect(page.getByTestId('vehicle-card')).toContainText('120.000 km');
  });

  await test.step('it is taken back, when somebody says yes', async () => {
    await page.goto(`/devices?open=${truck?.id}&tab=meters`);
    await part.getByRole('button', { name: 'Urungkan' }).click();
    const question = page.getByRole('dialog', { name: 'Urungkan koreksi terbaru Truk 1?' });
    await question.getByRole('button', { name: 'Urungkan' }).click();
    await expect(odometer).toContainText('8.500 km');
    await expect(part).toContainText('Belum pernah dikoreksi.');
  });

  await test.step('its tracker is replaced, and that is withdrawn', async () => {
    const imei = newImei();
    await part.getByRole('button', { name: 'Ganti alat GPS', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Ganti alat GPS Truk 1', exact: true });
    await form.getByLabel('IMEI / ID alat GPS baru').fill(imei);
    await form.getByLabel('Odometer alat GPS lama').fill('8500');
    await form.getByLabel('Odometer alat GPS baru').fill('0');
    await expectNoViolations(page, '[role=dialog]');
    await form.getByRole('button', { name: 'Lanjutkan' }).click();
    const question = page.getByRole('dialog', { name: 'Ganti alat GPS Truk 1?' });
    await expect(question).toContainText(`IMEI menjadi ${imei}.`);
    await question.getByRole('button', { name: 'Ganti alat GPS' }).click();
    await expect(form).toBeHidden();
    const replaced = part.getByRole('region', { name: 'Penggantian alat GPS' });
    await expect(replaced.getByRole('listitem')).toContainText(`${truck?.imei} → ${imei}`);
    await expect(replaced.getByRole('listitem')).toContainText('Wulan');
    await replaced.getByRole('button', { name: 'Tarik kembali' }).click();
    const back = page.getByRole('dialog', { name: 'Tarik kembali penggantian alat GPS terbaru Truk 1?' });
    await back.getByRole('button', { name: 'Tarik kembali' }).click();
    await expect(replaced).toContainText('Belum pernah diganti.');
  });
});
