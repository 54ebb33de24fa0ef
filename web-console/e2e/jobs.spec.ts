import type { Page } from '@playwright/test';
import { enter, makeAdmin, makeTenant, type Person } from './accounts';
import { expect, test, type Armada } from './armada';
import { expectNoViolations } from './axe';
import { call } from './fleet';
import { userMenu } from './steps';

const FILE = 'Nama,SIM berlaku sampai\nSiti,31/01/2030\nAgus,31/02/2030\n';

const drawer = (page: Page, name: string) => page.getByRole('dialog', { name });
const rows = (page: Page) => page.getByRole('table', { name: 'Proses' }).getByRole('row');
const tray = (page: Page) =>
  page.getByRole('region', { name: 'Proses', exact: true }).filter({ hasText: 'Semua proses' });

/** Takes in what is right of a file whose second row is wrong. */
async function importDrivers(page: Page): Promise<void> {
  const form = drawer(page, 'Impor pengemudi');
  await page.getByRole('button', { name: 'Impor' }).click();
  await form
    .locator('input[type=file]')
    .setInputFiles({ name: 'sopir.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) });
  await form.getByRole('button', { name: 'Periksa' }).click();
  await form.getByRole('button', { name: 'Impor 1 baris yang benar' }).click();
  await drawer(page, 'Impor 1 baris?').getByRole('button', { name: 'Impor 1 baris yang benar' }).click();
  await expect(tray(page).getByText('Selesai: 1, gagal: 1')).toBeVisible();
}

/** Starts a job of so many users, none of whom there is. */
async function failMany(armada: Armada, person: Person, count: number): Promise<void> {
  const { token } = await call<{ token: string }>(armada, 'POST', '/auth/login', person);
  const ids = Array.from({ length: count }, () => crypto.randomUUID());
  await call(armada, 'POST', '/api/v1/users/bulk', { ids, update: { status: 'inactive' } }, token);
}

test('what was begun is found again after its line was closed', async ({ page, request, armada }) => {
  const admin = await makeAdmin(request, armada, 'Lestari', await makeTenant(request, armada, 'Banyak Proses'));
  await enter(page, '/drivers', admin);
  await importDrivers(page);
  await tray(page).getByRole('button', { name: 'Tutup' }).click();
  await expect(tray(page)).toBeHidden();

  await test.step('the menu of the user leads to all of it, the newest first', async () => {
    await userMenu(page).click();
    await page.getByRole('menuitem', { name: /^Proses/ }).click();
    await expect(rows(page)).toHaveCount(3);
    await expect(rows(page).nth(1)).toContainText('Impor pengemudi');
    await expect(rows(page).nth(1)).toContainText('Selesai: 1, gagal: 1');
    await expect(rows(page).nth(1)).toContainText('Lestari');
    await expect(rows(page).nth(2)).toContainText('Periksa impor pengemudi');
  });

  await test.step('what it could not do is told, and it is undone', async () => {
    await rows(page).nth(1).click();
    const job = drawer(page, 'Impor pengemudi');
    await expect(job.getByRole('row').filter({ hasText: 'Agus' })).toContainText('SIM berlaku sampai:');
    await expectNoViolations(page, '[role=dialog]');
    await job.getByRole('button', { name: 'Urungkan' }).click();
    await drawer(page, 'Urungkan ini?').getByRole('button', { name: 'Urungkan' }).click();
    await expect(job.getByText('Diurungkan')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(rows(page).nth(1)).toContainText('Urungkan perubahan pengemudi');
    await expect(rows(page).nth(1)).toContainText('Selesai: 1');
    await rows(page).nth(2).click();
  });

  await test.step('its address shows the same, and what was found by the trial before', async () => {
    await page.reload();
    await expect(drawer(page, 'Impor pengemudi').getByRole('row').filter({ hasText: 'Agus' })).toBeVisible();
    await drawer(page, 'Impor pengemudi').getByRole('button', { name: 'Berikutnya' }).click();
    const trial = drawer(page, 'Periksa impor pengemudi');
    await expect(trial).toContainText('Ini hanya pemeriksaan: belum ada yang diimpor.');
    await expect(trial.getByRole('row').filter({ hasText: 'Agus' })).toBeVisible();
    await expect(trial.getByRole('button', { name: 'Urungkan' })).toBeHidden();
    await page.keyboard.press('Escape');
  });

  await test.step('another service has its own, and all that failed can be gone through', async () => {
    await failMany(armada, admin, 26);
    await page.getByRole('tab', { name: 'Pengguna' }).click();
    await expect(rows(page).nth(1)).toContainText('Selesai: 0, gagal: 26');
    await page.goto(`${page.url()}&status=running`);
    await expect(page.getByText('Tidak ada hasil')).toBeVisible();
    await page.getByRole('button', { name: 'Hapus pencarian dan filter' }).click();
    await rows(page).nth(1).click();
    const job = drawer(page, 'Ubah pengguna');
    await expect(job.getByRole('row')).toHaveCount(26);
    await job.getByRole('button', { name: '2', exact: true }).click();
    await expect(job.getByRole('row')).toHaveCount(2);
    await expectNoViolations(page, '[role=dialog]');
  });
});
