import { expect, test } from './armada';
import { enter, makeAdmin } from './accounts';
import { expectNoViolations } from './axe';
import { call, newFleet } from './fleet';

test('a driver is made, drives vehicles one after the other, and leaves', async ({ page, request, armada }) => {
  const { tenantId, devices } = await newFleet(armada, 'Angkutan Bersopir', [{ name: 'Truk 1' }, { name: 'Truk 2' }]);
  const admin = await makeAdmin(request, armada, 'Wulan', tenantId);
  await enter(page, '/drivers', admin);
  const drawer = (name: string) => page.getByRole('dialog', { name });

  await test.step('without a name it is not saved; an identification loses its separators', async () => {
    await page.getByRole('button', { name: 'Tambah pengemudi' }).first().click();
    const form = drawer('Pengemudi baru');
    await form.getByRole('button', { name: 'Tambah pengemudi' }).click();
    await expect(form.getByText('Nama pengemudi wajib diisi.').first()).toBeVisible();
    await form.getByLabel('Nama', { exact: false }).first().fill('Siti Rahmawati');
    await form.getByLabel('Telepon').fill('0812-3456');
    await form.getByLabel('Nomor SIM').fill('9123');
    await form.getByLabel('Golongan SIM').fill('B II Umum');
    await form.getByLabel('SIM berlaku sampai').fill('31/01/2020');
    await form.getByLabel('Nomor SIM').click();
    await form.getByLabel('RFID / iButton').fill('aa:01-b');
    await form.getByRole('button', { name: 'Tambah pengemudi' }).click();
    await expect(form).toBeHidden();
    const row = page.getByRole('row').filter({ hasText: 'Siti Rahmawati' });
    await expect(row).toContainText('9123 · B II Umum');
    await expect(row).toContainText('Kedaluwarsa 31 Jan 2020');
    await page.getByRole('button', { name: 'Siti Rahmawati' }).click();
    const siti = drawer('Siti Rahmawati');
    await expect(siti.getByText('Tidak mengemudikan kendaraan.')).toBeVisible();
    await expect(siti.getByRole('link', { name: /^Telepon Siti/ })).toHaveAttribute('href', 'tel:08123456');
    await expectNoViolations(page, '[role=dialog]');
    await siti.getByRole('tab', { name: 'Ubah' }).click();
    await expect(siti.getByLabel('RFID / iButton')).toHaveValue('AA01B');
    await expectNoViolations(page, '[role=dialog]');
    await page.keyboard.press('Escape');
  });

  await test.step('a vehicle is given to a driver, and its history tells of all', async () => {
    const token = (await call<{ token: string }>(armada, 'POST', '/auth/login', admin)).token;
    await call(armada, 'POST', '/api/v1/drivers', { name: 'Agus Setiawan' }, token);
    for (const name of ['Agus Setiawan', 'Siti Rahmawati']) {
      await page.goto(`/devices?open=${devices[0]?.id}&tab=edit`);
      const device = drawer('Truk 1');
      await device.getByRole('combobox', { name: 'Pengemudi' }).click();
      await page.getByRole('option', { name }).click();
      await device.getByRole('button', { name: 'Simpan perubahan' }).click();
      await drawer('Ubah Truk 1?').getByRole('button', { name: 'Simpan' }).click();
      await expect(device).toBeHidden();
      await expect(page.getByRole('row').filter({ hasText: 'Truk 1' })).toContainText(name);
    }
    await page.getByRole('button', { name: 'Truk 1' }).click();
    await expect(drawer('Truk 1').getByRole('link', { name: 'Telepon Siti Rahmawati, 0812-3456' })).toBeVisible();
    await drawer('Truk 1').getByRole('tab', { name: 'Lainnya' }).click();
    await drawer('Truk 1').getByRole('tab', { name: 'Pengemudi' }).click();
    const history = drawer('Truk 1').getByRole('tabpanel', { name: 'Pengemudi' }).getByRole('listitem');
    await expect(history).toHaveCount(2);
    await expect(history.nth(0)).toContainText(/Siti Rahmawati.*Sekarang.*Sejak/s);
    await expect(history.nth(1)).toContainText('Agus Setiawan');
  });

  await test.step('from there to the driver, over the vehicle', async () => {
    await drawer('Truk 1').getByRole('button', { name: 'Siti Rahmawati' }).click();
    const driver = drawer('Siti Rahmawati');
    const drives = driver.getByRole('region', { name: 'Kendaraan sekarang' });
    await expect(drives.getByRole('button', { name: 'Truk 1' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(driver).toBeHidden();
    await expect(drawer('Truk 1')).toBeVisible();
  });

  await test.step('several are changed at once, and a driver who is deleted drives nothing', async () => {
    await page.goto('/drivers?q=3456');
    await expect(page.getByText('1–1 dari 1')).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: 'Siti Rahmawati' })).toContainText('Truk 1');
    await page.goto('/drivers');
    await page.getByRole('checkbox', { name: 'Pilih semua di halaman ini' }).check();
    await page.getByRole('button', { name: 'Lepas tugas' }).click();
    await drawer('Jadikan 2 pengemudi lepas tugas?').getByRole('button', { name: 'Lepas tugas' }).click();
    await expect(page.getByText('Selesai: 2')).toBeVisible();
    await expect(page.getByRole('cell', { name: 'Lepas tugas' })).toHaveCount(2);
    await page.getByRole('button', { name: 'Siti Rahmawati' }).click();
    await drawer('Siti Rahmawati').getByRole('tab', { name: 'Ubah' }).click();
    await drawer('Siti Rahmawati').getByRole('button', { name: 'Hapus' }).click();
    const question = drawer('Hapus Siti Rahmawati?');
    await question.getByRole('textbox').fill('Siti Rahmawati');
    await question.getByRole('button', { name: 'Hapus' }).click();
    await expect(page.getByText('Pengemudi berhasil dihapus.')).toBeVisible();
    await page.goto('/devices');
    await expect(page.getByRole('row').filter({ hasText: 'Truk 1' })).not.toContainText('Siti Rahmawati');
  });
});
