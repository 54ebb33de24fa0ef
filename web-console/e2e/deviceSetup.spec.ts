import { enter, makeAdmin } from './accounts';
import { expect, test } from './armada';
import { expectNoViolations } from './axe';
import { newFleet } from './fleet';
import { newImei } from './imei';

test.use({ viewport: { width: 390, height: 844 }, contextOptions: { reducedMotion: 'reduce' } });

test('a device is set up on the spot: from its IMEI to a test of its ignition', async ({ page, request, armada }) => {
  const { tenantId } = await newFleet(armada, 'Armada siap', []);
  const imei = newImei();
  // Nobody has it yet, so that it is listed.
  await armada.publish(imei, { lat: -6.2, lng: 106.8166, speed: 0 });
  await enter(page, `/imei-claims/heard?q=${imei}`);

  await test.step('one that was heard is chosen', async () => {
    await expect(page.getByText(imei)).toBeVisible();
    await expectNoViolations(page);
    await page.getByRole('link', { name: 'Siapkan perangkat ini' }).click();
    await expect(page.getByRole('textbox', { name: 'IMEI' })).toHaveValue(imei);
    await expect(page.getByText('Mengirim data lewat local')).toBeVisible();
  });

  await test.step('tracker and vehicle', async () => {
    await page.getByRole('combobox', { name: 'Tenant' }).click();
    await page.getByRole('option', { name: 'Armada siap' }).click();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Lanjutkan' }).click();
    await page.getByRole('textbox', { name: 'Nama' }).fill('Truk siap');
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Tambah perangkat' }).click();
    await expect(page).toHaveURL(/device_id=/);
  });

  await test.step('its first packet: what was held for it', async () => {
    const packet = page.getByRole('region', { name: 'Paket pertama' });
    await expect(packet.getByText('-6.200000, 106.816600')).toBeVisible();
    await expect(armada.publish(imei, { lat: 91, lng: 106.8, speed: 30 })).rejects.toThrow('latitude_out_of_range');
    await expect(packet.getByRole('list', { name: 'Ditolak' }).getByText('Ditolak')).toBeVisible();
    await expectNoViolations(page);
    await page.reload();
    await expect(packet.getByText('-6.200000, 106.816600')).toBeVisible();
    await page.getByRole('button', { name: 'Lanjut ke pengujian' }).click();
  });

  await test.step('the ignition is switched on and off', async () => {
    const ignition = page.getByRole('region', { name: 'Kontak' });
    await expect(ignition.getByText('Putar kunci kontak ke ON.')).toBeVisible();
    await armada.publish(imei, { lat: -6.2, lng: 106.8166, speed: 0, ignition: true, fuel_liter: 40.5, sat: 9 });
    await expect(ignition.getByText('Terbaca ON pukul')).toBeVisible();
    await armada.publish(imei, { lat: -6.2, lng: 106.8166, speed: 0, ignition: false, fuel_liter: 40.5, sat: 9 });
    await expect(ignition.getByText('Terbaca OFF pukul')).toBeVisible();
    await expect(ignition.getByText('Berhasil')).toBeVisible();
    const fuel = page.getByRole('region', { name: 'BBM' });
    await expect(fuel.getByText('40,5 l')).toBeVisible();
    await fuel.getByRole('button', { name: 'Cocok', exact: true }).click();
    await expect(fuel.getByText('Berhasil')).toBeVisible();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Lewati: Gerakan' }).click();
    await page.getByRole('button', { name: 'Selesai' }).click();
  });

  await test.step('what came of it, and the next one like it', async () => {
    await expect(page.getByRole('list', { name: 'Hasil pengujian' }).getByText('Berhasil')).toHaveCount(3);
    await expectNoViolations(page);
    await page.getByRole('link', { name: 'Perangkat berikut seperti ini' }).click();
    await expect(page.getByText('Dengan pengaturan Truk siap')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'IMEI' })).toHaveValue('');
    await expect(page.getByRole('combobox', { name: 'Tenant' })).toHaveValue('Armada siap');
  });

  await test.step('what somebody has is listed no more; a company without gateways sees nothing', async () => {
    await page.goto(`/imei-claims/heard?q=${imei}`);
    await expect(page.getByText('Tidak ada hasil')).toBeVisible();
    const other = newImei();
    await armada.publish(other, { lat: -6.2, lng: 106.8166, speed: 0 });
    await page.goto(`/imei-claims/heard?q=${other}`);
    await expect(page.getByText(other)).toBeVisible();
    const admin = await makeAdmin(request, armada, 'Sari', tenantId);
    await page.context().clearCookies();
    await enter(page, '/imei-claims/heard', admin);
    await expect(page.getByText('Tidak ada alat GPS tak dikenal')).toBeVisible();
  });
});
