import { expect, test } from './armada';
import { enter, makeAdmin } from './accounts';
import { expectNoViolations } from './axe';
import { newFleet } from './fleet';
import { newImei } from './imei';
import { VIEWPORTS } from './sizes';

test('a brand and a model are made, used, replaced and deleted', async ({ page, request, armada }) => {
  const { tenantId } = await newFleet(armada, 'Angkutan Bermerek', []);
  const admin = await makeAdmin(request, armada, 'Ratna', tenantId);
  await enter(page, '/master-data?kind=vehicle_brand', admin);
  const drawer = (name: string) => page.getByRole('dialog', { name });
  const add = () => page.getByRole('button', { name: 'Tambah data master' }).first();
  const search = async (q: string) => {
    await page.getByRole('searchbox').fill(q);
    await page.getByRole('searchbox').press('Enter');
  };

  await test.step('brands of the platform are there, and nobody of a tenant changes them', async () => {
    await search('Hino');
    await page.getByRole('button', { name: 'Hino', exact: true }).click();
    const entry = drawer('Hino');
    await expect(entry.getByText(/hanya dapat diubah oleh pengelola platform/)).toBeVisible();
    await expect(entry.getByRole('button', { name: 'Hapus' })).toHaveCount(0);
    await expectNoViolations(page, '[role=dialog]');
    await page.keyboard.press('Escape');
    await expect(entry).toBeHidden();
  });

  await test.step('two brands of their own, and a model of the first', async () => {
    for (const name of ['Karoseri Maju', 'Karoseri Jaya']) {
      await page.goto('/master-data?kind=vehicle_brand');
      await add().click();
      const form = drawer('Data master baru');
      await form.getByLabel('Nama').fill(name);
      await form.getByRole('button', { name: 'Tambah data master' }).click();
      await expect(form).toBeHidden();
    }
    await page.getByRole('tab', { name: 'Model kendaraan' }).click();
    await expect(page).toHaveURL(/kind=vehicle_model/);
    await add().click();
    const form = drawer('Data master baru');
    await form.getByLabel('Nama').fill('Boks 6 Roda');
    await form.getByRole('button', { name: 'Tambah data master' }).click();
    await expect(form.getByText('Pilih mereknya.').first()).toBeVisible();
    await form.getByRole('combobox', { name: 'Merek' }).fill('Karoseri Maju');
    await page.getByRole('option', { name: 'Karoseri Maju' }).click();
    await form.getByLabel('Kapasitas tangki').fill('150');
    await form.getByRole('button', { name: 'Tambah data master' }).click();
    await expect(form).toBeHidden();
    await search('Boks 6');
    await expect(page.getByRole('row').filter({ hasText: 'Boks 6 Roda' })).toContainText('Karoseri Maju');
  });

  await test.step('a device of that model, whose brand and tank come with it', async () => {
    await page.goto('/devices?open=new');
    const form = drawer('Perangkat baru');
    await form.getByLabel('Nama').fill('Truk Boks');
    await form.getByLabel('IMEI').fill(newImei());
    await form.getByRole('tab', { name: 'Kendaraan' }).click();
    await form.getByRole('combobox', { name: 'Model kendaraan' }).fill('Boks 6');
    await page.getByRole('option', { name: 'Karoseri Maju Boks 6 Roda' }).click();
    await expect(form.getByRole('combobox', { name: 'Merek kendaraan' })).toHaveValue('Karoseri Maju');
    await form.getByRole('tab', { name: 'BBM' }).click();
    await expect(form.getByLabel('Kapasitas tangki')).toHaveValue('150');
    await form.getByRole('button', { name: 'Tambah perangkat' }).click();
    await expect(form).toBeHidden();
    await expect(page.getByRole('row').filter({ hasText: 'Truk Boks' })).toBeVisible();
  });

  await test.step('a brand in use is replaced before it goes', async () => {
    await page.goto('/master-data?kind=vehicle_brand&q=Karoseri');
    await page.getByRole('button', { name: 'Karoseri Maju', exact: true }).click();
    await drawer('Karoseri Maju').getByRole('button', { name: 'Hapus' }).click();
    const question = drawer('Hapus Karoseri Maju?');
    await expect(
      question.getByText(/1 perangkat dan 1 entri lain: Truk Boks, Karoseri Maju Boks 6 Roda/),
    ).toBeVisible();
    await expect(question.getByRole('button', { name: 'Ganti dan hapus' })).toBeDisabled();
    await expectNoViolations(page, '[role=dialog]');
    await question.getByRole('combobox', { name: 'Pengganti' }).fill('Karoseri');
    await page.getByRole('option', { name: 'Karoseri Jaya' }).click();
    await question.getByRole('button', { name: 'Ganti dan hapus' }).click();
    await expect(page.getByText('Data master berhasil dihapus.')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByText('1–1 dari 1')).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: 'Karoseri Jaya' })).toContainText('Milik sendiri');
  });

  await test.step('the device has the other brand now, and is found by it', async () => {
    await page.goto('/devices?columns=name,vehicle_brand,vehicle_model');
    const row = page.getByRole('row').filter({ hasText: 'Truk Boks' });
    await expect(row).toContainText('Karoseri Jaya');
    await expect(row).toContainText('Karoseri Jaya Boks 6 Roda');
    await page.getByRole('button', { name: 'Tambah filter' }).click();
    await page.getByRole('menuitem', { name: 'Merek kendaraan' }).click();
    await page.getByPlaceholder('Cari Merek kendaraan').fill('Karoseri');
    await page.getByRole('option', { name: 'Karoseri Jaya' }).click();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/vehicle_brand_id=/);
    await expect(row).toBeVisible();
  });
});

for (const viewport of VIEWPORTS) {
  test.describe(`${viewport.width}`, () => {
    test.use({ viewport, contextOptions: { reducedMotion: 'reduce' } });

    test('no kind of master data keeps anybody out', async ({ page }) => {
      await enter(page, '/master-data');
      for (const kind of ['gps_model', 'vehicle_type', 'temperature_range', 'warehouse']) {
        await page.goto(`/master-data?kind=${kind}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectNoViolations(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
      }
      await page.goto('/master-data?kind=warehouse&open=new');
      await expect(page.getByRole('dialog').getByLabel('Alamat')).toBeVisible();
      await expectNoViolations(page);
    });
  });
}
