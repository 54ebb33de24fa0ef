import { expect, test } from './armada';
import { enter, makeAdmin } from './accounts';
import { expectNoViolations } from './axe';
import { newFleet } from './fleet';

/** A day as it is typed, so many days from now in Jakarta. */
const typed = (days: number) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Jakarta' }).format(Date.now() + days * 86_400_000);

/** The month of that day. */
const month = (days: number) => typed(days).slice(3);

test('a maintenance is planned, seen to be due, completed, and comes again', async ({ page, request, armada }) => {
  const { tenantId } = await newFleet(armada, 'Angkutan Terawat', [{ name: 'Truk 1', vehicle_code: 'B 9120 KXT' }]);
  const admin = await makeAdmin(request, armada, 'Ratna', tenantId);
  await enter(page, '/maintenance', admin);
  const drawer = (name: string) => page.getByRole('dialog', { name });
  const row = page.getByRole('row').filter({ hasText: 'Ganti oli' });

  await test.step('what is missing is said as everywhere', async () => {
    await page.getByRole('button', { name: 'Tambah perawatan' }).first().click();
    const form = drawer('Perawatan baru');
    await form.getByRole('button', { name: 'Tambah perawatan' }).click();
    await expect(form.getByText('Judul wajib diisi.').first()).toBeVisible();
    await form.getByLabel('Judul').fill('Ganti oli');
    await form.getByRole('combobox', { name: 'Kendaraan', exact: true }).click();
    await page.getByRole('option', { name: 'Truk 1' }).click();
    await form.getByLabel('Tanggal jatuh tempo').fill(typed(3));
    await form.getByLabel('Ulangi setiap', { exact: true }).fill('90');
    await expectNoViolations(page, '[role=dialog]');
    await form.getByRole('button', { name: 'Tambah perawatan' }).click();
    await expect(form).toBeHidden();
    await expect(row).toContainText('Segera jatuh tempo');
  });

  await test.step('it stands in the calendar', async () => {
    await page.getByRole('tab', { name: 'Kalender' }).click();
    const due = page.getByRole('button', { name: /Ganti oli/ });
    if (month(3) !== month(0)) await page.getByRole('button', { name: 'Bulan berikutnya' }).click();
    await expect(due.first()).toContainText('Segera jatuh tempo');
    await due.first().press('Enter');
    await expect(drawer('Ganti oli')).toBeVisible();
  });

  await test.step('completing it makes the next one due', async () => {
    await drawer('Ganti oli').getByRole('button', { name: 'Selesaikan' }).click();
    const form = drawer('Selesaikan perawatan');
    await form.getByLabel('Bengkel').fill('Bengkel Jaya');
    await form.getByLabel('Biaya').fill('450000');
    await expectNoViolations(page, '[role=dialog]');
    await form.getByRole('button', { name: 'Selesaikan' }).click();
    await expect(form).toBeHidden();
    await expect(drawer('Ganti oli').getByRole('listitem').filter({ hasText: 'Bengkel Jaya' })).toContainText(
      '450.000',
    );
    await page.goto('/maintenance');
    await expect(row).toContainText('Terjadwal');
  });

  await test.step('what it cost is told', async () => {
    await page.getByRole('tab', { name: 'Biaya' }).click();
    await expect(page.getByRole('row').filter({ hasText: 'Truk 1' })).toContainText('450.000');
  });
});
