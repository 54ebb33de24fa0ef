import { enter, makeAdmin } from './accounts';
import { expect, test } from './armada';
import { newFleet } from './fleet';

test('a deleted device is brought back at once, or later, or erased', async ({ page, request, armada }) => {
  const { tenantId } = await newFleet(armada, 'Angkutan Urung', [{ name: 'Truk Urung', vehicle_code: 'B 9130 KXT' }]);
  const admin = await makeAdmin(request, armada, 'Ratih', tenantId);
  await enter(page, '/devices', admin);
  const row = page.getByRole('row').filter({ hasText: 'Truk Urung' });
  const remove = async () => {
    await page.getByRole('button', { name: 'Truk Urung' }).click();
    const drawer = page.getByRole('dialog', { name: 'Truk Urung' });
    await drawer.getByRole('tab', { name: 'Ubah' }).click();
    await drawer.getByRole('button', { name: 'Hapus' }).click();
    const question = page.getByRole('dialog', { name: 'Hapus Truk Urung?' });
    await question.getByRole('button', { name: 'Hapus' }).click();
    await expect(row).toBeHidden();
  };

  await test.step('the toast takes it back', async () => {
    await remove();
    await page.getByRole('button', { name: 'Urungkan', exact: true }).click();
    await expect(page.getByText('Perangkat berhasil dipulihkan.')).toBeVisible();
    await expect(row).toBeVisible();
  });

  await test.step('later it stands among the deleted ones', async () => {
    await remove();
    await page.getByRole('tab', { name: 'Dihapus' }).click();
    await expect(page).toHaveURL(/devices\/deleted/);
    await expect(row).toContainText('30 hari lagi');
    await expect(row).toContainText('Ratih');
    await row.getByRole('button', { name: 'Pulihkan Truk Urung' }).click();
    await expect(page.getByText('Tidak ada perangkat yang dihapus')).toBeVisible();
    await page.getByRole('tab', { name: 'Perangkat' }).click();
    await expect(row).toBeVisible();
  });

  await test.step('for good it goes when its name is typed', async () => {
    await remove();
    await page.getByRole('tab', { name: 'Dihapus' }).click();
    await row.getByRole('button', { name: 'Hapus Truk Urung secara permanen' }).click();
    const question = page.getByRole('dialog', { name: 'Hapus Truk Urung secara permanen?' });
    await question.getByRole('textbox').fill('Truk Urung');
    await question.getByRole('button', { name: 'Hapus permanen' }).click();
    await expect(page.getByText('Tidak ada perangkat yang dihapus')).toBeVisible();
  });
});
