import type { Page } from '@playwright/test';
import { expect, test } from './armada';
import { enter, makeAdmin, makeTenant } from './accounts';
import { expectNoViolations } from './axe';

const HEADINGS = 'Nama,Telepon,Status,SIM berlaku sampai,Kode kami\n';
const WRONG = `${HEADINGS}Siti,0812,Bertugas,31/01/2030,x1\nAgus,0813,Tersedia,31/02/2030,x2\n`;
const CORRECTED = WRONG.replace('31/02/2030', '28/02/2030');

/** The list of a transport company, as its spreadsheet has it: titles above, and Excel's days. */
const LIST = [
  'PT MAJU JAYA LOGISTIK',
  'Daftar kendaraan per 1 Mei 2026',
  '',
  'No.;Nama Unit;No. Polisi;Jenis Kendaraan;Merk;Tipe;No. Rangka;No. Mesin;IMEI GPS;No. Kartu GSM;Driver;Tangki (L);STNK s/d;Grup',
  "1;Truk 1;B 9001 KXT;Truk Boks;Hino;Dutro 130;MJEC1JG41;W04D1;356938035643809;'08120001;Budi;100;46387;Jabodetabek",
  '2;Truk 2;B 9002 KXT;Truk Boks;Isuzu;Giga;MJEC1JG42;W04D2;1234567890128;08120002;Agus;200;31/12/2026;Cikarang',
  '3;Truk 3;B 9003 KXT;Truk Boks;Isuzu;Giga;MJEC1JG43;W04D3;3,56938E+14;08120003;Agus;200;2026-12-31;Cikarang',
].join('\r\n');

const drawer = (page: Page, name = 'Impor pengemudi') => page.getByRole('dialog', { name });
const rows = (page: Page) => page.getByRole('table', { name: 'Pengemudi' }).getByRole('row');

const choose = (page: Page, name: string, content: string | Buffer) =>
  page
    .locator('[role=dialog] input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

test('a file is corrected, taken in, and taken back', async ({ page, request, armada }) => {
  const admin = await makeAdmin(request, armada, 'Wulan', await makeTenant(request, armada, 'Sopir dari Berkas'));
  await enter(page, '/drivers', admin);
  await page.getByRole('button', { name: 'Impor' }).click();

  await test.step('a wrong cell is named, and nothing is taken in', async () => {
    await choose(page, 'sopir.csv', WRONG);
    await expect(drawer(page).getByText('sopir.csv: 2 baris')).toBeVisible();
    await expect(drawer(page).getByRole('combobox', { name: 'Isian untuk kolom Telepon' })).toHaveValue('Telepon');
    await expect(drawer(page).getByRole('combobox', { name: 'Isian untuk kolom Kode kami' })).toHaveValue('');
    await expectNoViolations(page, '[role=dialog]');
    await drawer(page).getByRole('button', { name: 'Periksa' }).click();
    const wrong = drawer(page).getByRole('row').filter({ hasText: 'Agus' });
    await expect(wrong).toContainText(/^3Agus/);
    await expect(wrong).toContainText('SIM berlaku sampai');
    await expect(drawer(page).getByRole('button', { name: 'Impor 1 baris yang benar' })).toBeVisible();
    await expectNoViolations(page, '[role=dialog]');
  });

  await test.step('the corrected file is taken in', async () => {
    await drawer(page).getByRole('button', { name: 'Pilih berkas yang sudah diperbaiki' }).click();
    await choose(page, 'sopir.csv', CORRECTED);
    await drawer(page).getByRole('button', { name: 'Periksa' }).click();
    await expect(drawer(page).getByText('Berkas ini tidak memiliki kesalahan.')).toBeVisible();
    await drawer(page).getByRole('button', { name: 'Impor 2 baris' }).click();
    await expect(drawer(page)).toBeHidden();
    await expect(page.getByText('Impor pengemudi: sopir.csv')).toBeVisible();
    await expect(page.getByText('Selesai: 2')).toBeVisible();
    await expect(rows(page)).toHaveCount(3);
    await expect(rows(page).filter({ hasText: 'Agus' })).toContainText('Sampai 28 Feb 2030');
    await expect(rows(page).filter({ hasText: 'Siti' })).toContainText('Bertugas');
  });

  await test.step('it is undone', async () => {
    await page.getByRole('button', { name: 'Urungkan' }).click();
    await page.getByRole('dialog', { name: 'Urungkan ini?' }).getByRole('button', { name: 'Urungkan' }).click();
    await expect(page.getByText('Urungkan perubahan pengemudi')).toBeVisible();
    await expect(page.getByText('Belum ada pengemudi')).toBeVisible();
  });
});

test('the list of a transport company comes in as it is', async ({ page, request, armada }) => {
  const admin = await makeAdmin(request, armada, 'Dewi', await makeTenant(request, armada, 'Maju Jaya'));
  await enter(page, '/devices?open=import', admin);
  const form = drawer(page, 'Impor perangkat');
  await choose(page, 'armada.csv', LIST);
  await expect(form.getByText('armada.csv: 3 baris')).toBeVisible();
  await expect(form.getByText('Dilewati: No.')).toBeVisible();
  await expect(form.getByRole('combobox', { name: 'Isian untuk kolom Merk' })).toHaveValue('Merek kendaraan');
  await expect(form.getByRole('combobox', { name: 'Baris judul kolom' })).toHaveValue(/^Baris 4: No\. · Nama Unit/);
  await expectNoViolations(page, '[role=dialog]');
  await form.getByRole('button', { name: 'Periksa' }).click();

  await test.step('every wrong cell is told, with what stands there', async () => {
    const wrong = form.getByRole('row').filter({ hasText: 'Truk 3' });
    await expect(wrong).toContainText('3,56938E+14');
    await expect(wrong).toContainText('Cikarang');
    await expect(form.getByRole('row').filter({ hasText: 'Truk 2' })).toContainText('Usulan: 001234567890128.');
    await expectNoViolations(page, '[role=dialog]');
  });

  await test.step('what is missing is made, and the zeros come back', async () => {
    await form.getByRole('checkbox', { name: /^Buat yang belum ada/ }).click();
    await expect(form.getByRole('button', { name: 'Impor 1 baris yang benar' })).toBeVisible();
    await form.getByText('Tambahkan nol').click();
    await form.getByRole('button', { name: 'Impor 2 baris yang benar' }).click();
    await page
      .getByRole('dialog', { name: 'Impor 2 baris?' })
      .getByRole('button', { name: /^Impor 2/ })
      .click();
    await expect(page.getByText('Selesai: 2')).toBeVisible();
    await page.goto('/devices?q=001234567890128');
    await expect(page.getByRole('table').getByRole('row').filter({ hasText: 'Truk 2' })).toBeVisible();
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('nothing of it runs out of the screen', async ({ page, request, armada }) => {
    const admin = await makeAdmin(request, armada, 'Ratna', await makeTenant(request, armada, 'Sopir di Telepon'));
    await enter(page, '/drivers?open=import', admin);
    const fits = async () =>
      expect(await drawer(page).evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    await expect(drawer(page).getByRole('heading', { name: 'Pilih berkas' })).toBeVisible();
    await fits();
    await choose(page, 'sopir.csv', WRONG);
    await expect(drawer(page).getByRole('heading', { name: 'Cocokkan kolom' })).toBeVisible();
    await fits();
    await drawer(page).getByRole('button', { name: 'Periksa' }).click();
    await expect(drawer(page).getByRole('heading', { name: 'Hasil pemeriksaan' })).toBeVisible();
    await fits();
    await drawer(page).getByRole('button', { name: 'Kembali' }).click();
    await drawer(page)
      .getByRole('button', { name: 'Close' })
      .or(drawer(page).getByRole('button', { name: 'Tutup' }))
      .click();
    await page.getByRole('button', { name: 'Buang' }).click();
    await expect(drawer(page)).toBeHidden();
  });
});
