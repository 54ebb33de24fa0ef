import { readFile } from 'node:fs/promises';
import { expect, test } from './armada';
import { enter, makeAdmin } from './accounts';
import { expectNoViolations } from './axe';
import { newFleet } from './fleet';

/** A dot: the smallest PNG that every browser shows. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PDF = Buffer.from('%PDF-1.7\nSTNK');

/** A day as it is typed, so many days from now in Jakarta. */
const typed = (days: number) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Jakarta' }).format(Date.now() + days * 86_400_000);

test('a document is made with its files, is seen to expire, and is saved', async ({ page, request, armada }) => {
  const { tenantId } = await newFleet(armada, 'Angkutan Bersurat', [{ name: 'Truk 1', vehicle_code: 'B 9120 KXT' }]);
  const admin = await makeAdmin(request, armada, 'Wulan', tenantId);
  await enter(page, '/documents', admin);
  const drawer = (name: string) => page.getByRole('dialog', { name });

  await test.step('what is no scan is refused with the reason, and others stay', async () => {
    await page.getByRole('button', { name: 'Tambah dokumen' }).first().click();
    const form = drawer('Dokumen baru');
    await form.getByRole('combobox', { name: 'Kendaraan' }).click();
    await page.getByRole('option', { name: 'Truk 1' }).click();
    await form.getByLabel('Nomor').fill('0123456/JT');
    await form.getByLabel('Berlaku sampai').fill(typed(5));
    await form.getByLabel('Nomor').click();
    await form
      .locator('input[type=file]')
      .first()
      .setInputFiles([
        { name: 'STNK.pdf', mimeType: 'application/pdf', buffer: PDF },
        { name: 'halaman.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<!doctype html>') },
        { name: 'foto.png', mimeType: 'image/png', buffer: DOT },
      ]);
    await expect(form.getByRole('alert')).toHaveText('Hanya PDF, JPEG, PNG, atau WebP.');
    await expect(form.getByRole('button', { name: 'Unduh foto.png' })).toBeVisible();
    await form.getByRole('button', { name: 'Tutup', exact: true }).last().click();
    await expectNoViolations(page, '[role=dialog]');
    await form.getByRole('button', { name: 'Tambah dokumen' }).click();
    await expect(form).toBeHidden();
  });

  await test.step('it stands in the list as what it is today', async () => {
    const row = page.getByRole('row').filter({ hasText: 'Truk 1' });
    await expect(row).toContainText('5 hari lagi');
    await expect(row).toContainText('2 berkas');
    await page.getByRole('button', { name: /Kedaluwarsa dalam 30 hari/ }).click();
    await expect(page.getByText('1–1 dari 1')).toBeVisible();
    await page.getByRole('button', { name: /^Kedaluwarsa \d/ }).click();
    await expect(row).toBeHidden();
    await page.goto('/documents');
  });

  await test.step('its files are looked at and saved', async () => {
    await page.getByRole('button', { name: 'Truk 1' }).click();
    const document = drawer('0123456/JT');
    await document.getByRole('button', { name: 'Lihat foto.png' }).click();
    await expect(document.getByRole('img', { name: 'foto.png' })).toBeVisible();
    const saved = page.waitForEvent('download');
    await document.getByRole('button', { name: 'Unduh STNK.pdf' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('STNK.pdf');
    expect(await readFile(await file.path())).toEqual(PDF);
    await document.getByRole('button', { name: 'Hapus foto.png' }).click();
    await document.getByLabel('Berlaku sampai').fill(typed(-3));
    await document.getByLabel('Berlaku sampai').press('Tab');
    await document.getByRole('button', { name: 'Simpan perubahan' }).click();
    await expect(document).toBeHidden();
    const row = page.getByRole('row').filter({ hasText: 'Truk 1' });
    await expect(row).toContainText('1 berkas');
    await expect(row).toContainText('Kedaluwarsa ');
  });
});
