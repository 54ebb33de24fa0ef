import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { enter, makeAdmin, makeTenant, makeUser } from './accounts';
import { expect, test } from './armada';
import { expectNoViolations } from './axe';
import { newFleet, trucks } from './fleet';
import { VIEWPORTS } from './sizes';

/** What was done is entered a moment later: the list is asked until it is there. */
async function reloadUntil(page: Page, words: string | RegExp): Promise<void> {
  await expect(async () => {
    await page.getByRole('button', { name: 'Muat terbaru' }).click();
    await expect(page.getByRole('row').filter({ hasText: words }).first()).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

test('what was changed is told with before and after, found again, and taken away', async ({
  page,
  request,
  armada,
}) => {
  const { tenantId } = await newFleet(armada, 'Jejak Terang', trucks(1));
  const admin = await makeAdmin(request, armada, 'Lestari', tenantId);
  await enter(page, '/devices', admin);
  await page.getByRole('cell', { name: 'Truk 001', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Truk 001' });
  await form.getByRole('tab', { name: 'Ubah' }).click();
  await form.getByLabel('Nama').fill('<img src=x onerror=alert(1)>');
  await form.getByRole('button', { name: 'Simpan perubahan' }).click();
  await page.getByRole('button', { name: 'Simpan', exact: true }).click();
  await expect(form).toBeHidden();

  await page.goto('/audit');
  await reloadUntil(page, 'Perangkat diubah');
  await page.getByRole('row').filter({ hasText: 'Perangkat diubah' }).first().click();
  const entry = page.getByRole('dialog', { name: 'Perangkat diubah' });
  const change = entry.getByRole('row').filter({ hasText: 'Nama' });
  await expect(change.getByRole('deletion')).toHaveText('Truk 001');
  await expect(change.getByRole('insertion')).toHaveText('<img src=x onerror=alert(1)>');

  await test.step('a link finds the entry', async () => {
    await page.reload();
    await expect(entry.getByText('Lestari')).toBeVisible();
  });

  await test.step('everything about the same thing', async () => {
    await entry.getByRole('button', { name: 'Semua tentang objek ini' }).click();
    await expect(entry).toBeHidden();
    await expect(page.getByRole('row').filter({ hasText: 'Perangkat ditambahkan' })).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: 'Masuk' })).toHaveCount(0);
  });

  await test.step('a file', async () => {
    const arrives = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Ekspor' }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const file = await readFile(await (await arrives).path(), 'utf8');
    expect(file).toContain('Perangkat diubah');
    expect(file).toContain('Truk 001');
    await page.goto('/audit?act=audit%3Aexport');
    await reloadUntil(page, 'Jejak audit diekspor');
  });
});

test('refusals are found, and an intact chain says so', async ({ page, request, armada }) => {
  const tenantId = await makeTenant(request, armada, 'Rantai Utuh');
  const admin = await makeAdmin(request, armada, 'Joko', tenantId);
  await request.post(`${armada.url}/auth/login`, { data: { email: admin.email, password: 'not the password' } });
  await enter(page, '/audit', admin);
  await reloadUntil(page, 'Gagal masuk');
  await page.getByRole('button', { name: 'Tambah filter' }).click();
  await page.getByRole('menuitem', { name: 'Hasil' }).click();
  await page.getByRole('option', { name: 'Ditolak' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Gagal masuk' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Berhasil' })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('row').filter({ hasText: 'Berhasil' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Periksa keutuhan' }).click();
  const check = page.getByRole('dialog', { name: 'Periksa keutuhan jejak audit' });
  await check.getByRole('button', { name: 'Periksa sekarang' }).click();
  await expect(check.getByText('Utuh', { exact: true })).toBeVisible();
  await expect(check.getByText(/catatan, nomor 1 sampai/)).toBeVisible();
});

test('the audit is not for everybody', async ({ page, request, armada }) => {
  const tenantId = await makeTenant(request, armada, 'Tanpa Jejak');
  const admin = await makeAdmin(request, armada, 'Bayu', tenantId);
  const login = await request.post(`${armada.url}/auth/login`, {
    data: { email: admin.email, password: admin.password },
  });
  const { token } = (await login.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  const roles = await request.get(`${armada.url}/api/v1/roles?q=pemantau`, { headers });
  const viewer = ((await roles.json()) as { items: { id: string }[] }).items[0]?.id;
  const account = { email: 'viewer.audit@example.test', password: 'a good long password' };
  const id = await makeUser(armada, token, { ...account, name: 'Pemirsa' });
  await request.put(`${armada.url}/api/v1/users/${id}/roles`, { headers, data: { role_ids: [viewer] } });
  await enter(page, '/audit', account);
  await expect(page.getByText('Anda tidak memiliki akses ke jejak audit.')).toBeVisible();
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Jejak audit' })).toHaveCount(0);
});

for (const viewport of VIEWPORTS) {
  test.describe(`${viewport.width}`, () => {
    test.use({ viewport, contextOptions: { reducedMotion: 'reduce' } });

    test('an entry and the check keep nobody out', async ({ page, request, armada }) => {
      const { tenantId } = await newFleet(armada, `Jejak ${viewport.width}`, trucks(1));
      const admin = await makeAdmin(request, armada, 'Intan', tenantId);
      await enter(page, '/audit', admin);
      await expect(async () => {
        await page.getByRole('button', { name: 'Muat terbaru' }).click();
        await expect(page.getByText('Perangkat ditambahkan').first()).toBeVisible({ timeout: 1_000 });
      }).toPass();
      await page.getByText('Perangkat ditambahkan').first().click();
      await expect(page.getByRole('dialog').getByRole('table')).toBeVisible();
      await expectNoViolations(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Periksa keutuhan' }).click();
      await page.getByRole('button', { name: 'Periksa sekarang' }).click();
      await expect(page.getByText('Utuh', { exact: true })).toBeVisible();
      await expectNoViolations(page, '[role=dialog]');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
    });
  });
}
