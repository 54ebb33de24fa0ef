import type { APIRequestContext, Page } from '@playwright/test';
import { enter, makeAdmin, makeTenant, makeUser } from './accounts';
import { OWNER, expect, test, type Armada } from './armada';
import { expectNoViolations } from './axe';
import { ownerToken } from './fleet';
import { VIEWPORTS } from './sizes';

interface Made {
  id: string;
  name: string;
}

/** Asks the server as somebody who has signed in by a form of their own. */
async function callAs(request: APIRequestContext, armada: Armada, account: { email: string; password: string }) {
  const login = await request.post(`${armada.url}/auth/login`, {
    data: { email: account.email, password: account.password },
  });
  const { token } = (await login.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  return {
    get: async <T>(path: string) => (await (await request.get(armada.url + path, { headers })).json()) as T,
    post: async <T>(path: string, data: object) =>
      (await (await request.post(armada.url + path, { headers, data })).json()) as T,
    put: async (path: string, data: object) => (await request.put(armada.url + path, { headers, data })).status(),
  };
}

interface Effects {
  items: { key: string; effect: string }[];
}

const row = (page: Page, name: string) => page.getByRole('radiogroup', { name, exact: true });
const radio = (page: Page, name: string, word: string) => row(page, name).getByRole('radio', { name: word });

test('a role is made from a template, changed by keyboard, reviewed, and holds', async ({ page, request, armada }) => {
  const admin = await makeAdmin(request, armada, 'Ratna', await makeTenant(request, armada, 'Peran Bersama'));
  await enter(page, '/roles', admin);

  await test.step('a template', async () => {
    await page.getByRole('button', { name: 'Tambah peran' }).first().click();
    const drawer = page.getByRole('dialog', { name: 'Peran baru' });
    await drawer.getByLabel('Nama').fill('Shift malam');
    await drawer.getByRole('combobox', { name: 'Mulai dari' }).click();
    await page.getByRole('option', { name: 'Templat' }).click();
    await drawer.getByRole('combobox', { name: 'Templat' }).click();
    await page.getByRole('option', { name: 'Pemantau' }).click();
    await drawer.getByRole('button', { name: 'Tambah peran' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Shift malam' })).toBeVisible();
    await expect(radio(page, 'Lihat perangkat', 'Izinkan')).toBeChecked();
  });

  await test.step('the keyboard alone', async () => {
    await radio(page, 'Tambah perangkat', 'Tanpa pengaruh').focus();
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('-');
    await expect(radio(page, 'Tambah perangkat', 'Izinkan')).toBeChecked();
    await expect(radio(page, 'Hapus perangkat', 'Tolak')).toBeChecked();
    await expect(radio(page, 'Hapus perangkat', 'Tolak')).toBeFocused();
  });

  await test.step('leaving asks', async () => {
    await page.getByRole('link', { name: '← Semua peran' }).click();
    await page.getByRole('button', { name: 'Tetap di sini' }).click();
    await expect(page.getByText('2 perubahan belum disimpan')).toBeVisible();
  });

  await test.step('review and save', async () => {
    await page.getByRole('button', { name: 'Tinjau dan simpan' }).click();
    const review = page.getByRole('dialog', { name: 'Perubahan pada Shift malam' });
    await expect(review.getByRole('listitem')).toHaveCount(2);
    await review.getByRole('button', { name: 'Simpan izin' }).click();
    await expect(page.getByText('Izin peran berhasil diperbarui.')).toBeVisible();
    await page.reload();
    await expect(radio(page, 'Hapus perangkat', 'Tolak')).toBeChecked();
    await expect(page.getByText(/belum disimpan/)).toBeHidden();
  });

  await test.step('compared with another, by address', async () => {
    const id = new URL(page.url()).pathname.split('/').pop() ?? '';
    const ask = await callAs(request, armada, admin);
    const viewer = (await ask.get<{ items: Made[] }>('/api/v1/roles?q=pemantau')).items[0];
    await page.goto(`/roles/compare?left=${id}&right=${viewer?.id}`);
    await expect(page.getByText(/^2 dari \d+ izin berbeda$/)).toBeVisible();
    await expect(page.getByRole('row', { name: /Hapus perangkat/ }).getByRole('cell')).toHaveText([
      'Tolak',
      'Tanpa pengaruh',
    ]);
  });

  await test.step('deleted by its name', async () => {
    await page.goBack();
    await page.getByRole('button', { name: 'Tindakan lain' }).click();
    await page.getByRole('menuitem', { name: 'Hapus' }).click();
    const question = page.getByRole('dialog', { name: 'Hapus peran Shift malam?' });
    await question.getByRole('textbox').fill('Shift malam');
    await question.getByRole('button', { name: 'Hapus' }).click();
    await expect(page).toHaveURL(/\/roles$/);
    await expect(page.getByRole('cell', { name: 'Shift malam' })).toBeHidden();
  });
});

test('why somebody may not is explained, and nobody grants more than they hold', async ({ page, request, armada }) => {
  const tenantId = await makeTenant(request, armada, 'Hak Jelas');
  const admin = await makeAdmin(request, armada, 'Sari', tenantId);
  const ask = await callAs(request, armada, admin);
  const roleManager = await ask.post<Made>('/api/v1/roles', { name: 'Penjaga peran' });
  const trainee = await ask.post<Made>('/api/v1/roles', { name: 'Magang' });
  const allowed = ['role:list', 'role:update', 'user:list', 'device:list'].map((key) => ({ key, effect: 'allow' }));
  expect(await ask.put(`/api/v1/roles/${roleManager.id}/permissions`, { items: allowed })).toBe(200);
  expect(
    await ask.put(`/api/v1/roles/${trainee.id}/permissions`, { items: [{ key: 'device:list', effect: 'deny' }] }),
  ).toBe(200);
  const account = { email: 'tono.rights@example.test', password: 'a good long password' };
  const tono = await makeUser(armada, await ownerToken(armada), { ...account, name: 'Tono', tenant_id: tenantId });
  expect(await ask.put(`/api/v1/users/${tono}/roles`, { role_ids: [roleManager.id, trainee.id] })).toBe(200);

  await test.step('the explanation names the roles', async () => {
    await enter(page, '/roles', admin);
    await page.getByRole('button', { name: 'Jelaskan izin pengguna' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Pengguna' }).click();
    await page.getByRole('option', { name: /^Tono/ }).click();
    await dialog.getByRole('button', { name: /^Lihat perangkat/ }).click();
    await expect(dialog.getByText('Tono tidak boleh, karena ditolak oleh: Magang.')).toBeVisible();
    await expect(dialog.getByRole('row', { name: /Penjaga peran/ })).toContainText('Izinkan');
    await expectNoViolations(page, '[role=dialog]');
  });

  await test.step('the refusal stands at its row', async () => {
    await enter(page, `/roles/${trainee.id}`, account);
    await page.getByText('Izinkan', { exact: true }).first().waitFor();
    await radio(page, 'Hapus pengguna', 'Izinkan').check({ force: true });
    await page.getByRole('button', { name: 'Tinjau dan simpan' }).click();
    await page.getByRole('button', { name: 'Simpan izin' }).click();
    const refusal = 'Anda tidak dapat memberikan lebih dari yang Anda miliki.';
    await expect(page.getByRole('alert').filter({ hasText: refusal })).toBeVisible();
    await page.getByRole('button', { name: 'Lanjutkan mengubah' }).click();
    await expect(page.getByRole('listitem').filter({ has: row(page, 'Hapus pengguna') })).toContainText(
      'Anda tidak dapat memberikan lebih dari yang Anda miliki.',
    );
    const effects = await ask.get<Effects>(`/api/v1/roles/${trainee.id}/permissions`);
    expect(effects.items).toEqual([{ key: 'device:list', effect: 'deny' }]);
  });
});

test('a platform owner adds to the catalogue, and a role can allow it', async ({ page, request, armada }) => {
  const tenantId = await makeTenant(request, armada, 'Katalog Luas');
  const owner = await callAs(request, armada, OWNER);
  const role = await owner.post<Made>('/api/v1/roles', { name: 'Sinkron', tenant_id: tenantId });
  await enter(page, '/roles/permissions');
  await page.getByRole('button', { name: 'Tambah izin' }).click();
  const drawer = page.getByRole('dialog', { name: 'Izin baru' });
  await drawer.getByLabel('Kunci').fill('erp:sync');
  await drawer.getByLabel('Yang diizinkan').fill('<img src=x onerror=alert(1)>');
  await drawer.getByRole('button', { name: 'Tambah izin' }).click();
  await expect(drawer).toBeHidden();

  await page.goto(`/roles/${role.id}?q=erp`);
  await expect(page.getByText('<img src=x onerror=alert(1)>')).toBeVisible();
  await radio(page, 'erp:sync', 'Tanpa pengaruh').focus();
  await page.keyboard.press('+');
  await page.getByRole('button', { name: 'Tinjau dan simpan' }).click();
  await page.getByRole('button', { name: 'Simpan izin' }).click();
  await expect(page.getByText('Izin peran berhasil diperbarui.')).toBeVisible();

  await page.goto('/roles/permissions?open=erp:sync');
  await page.getByRole('dialog').getByRole('button', { name: 'Hapus' }).click();
  const question = page.getByRole('dialog', { name: 'Hapus izin erp:sync?' });
  await question.getByRole('textbox').fill('erp:sync');
  await question.getByRole('button', { name: 'Hapus' }).click();
  await expect(page.getByText('Izin berhasil dihapus.')).toBeVisible();
  expect((await owner.get<Effects>(`/api/v1/roles/${role.id}/permissions`)).items).toEqual([]);
});

for (const viewport of VIEWPORTS) {
  test.describe(`${viewport.width}`, () => {
    test.use({ viewport, contextOptions: { reducedMotion: 'reduce' } });

    test('a role and its review keep nobody out', async ({ page, request, armada }) => {
      const admin = await makeAdmin(
        request,
        armada,
        'Wulan',
        await makeTenant(request, armada, `Peran ${viewport.width}`),
      );
      const ask = await callAs(request, armada, admin);
      const { items } = await ask.get<{ items: Made[] }>('/api/v1/roles');
      await enter(page, `/roles/${items[0]?.id}`, admin);
      await radio(page, 'Hapus perangkat', 'Tanpa pengaruh')
        .or(radio(page, 'Hapus perangkat', 'Izinkan'))
        .first()
        .waitFor({ state: 'attached' });
      await radio(page, 'Hapus perangkat', 'Tolak').focus();
      await page.keyboard.press('-');
      await expect(page.getByText('1 perubahan belum disimpan')).toBeVisible();
      await expectNoViolations(page);
      await page.getByRole('button', { name: 'Tinjau dan simpan' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectNoViolations(page, '[role=dialog]');
      await page.getByRole('button', { name: 'Lanjutkan mengubah' }).click();
      await page.getByRole('button', { name: 'Buang' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Buang' }).click();
      await page.goto(`/roles/compare?left=${items[0]?.id}&right=${items[1]?.id}`);
      await expect(page.getByRole('status').filter({ hasText: /izin berbeda$/ })).toBeVisible();
      await expectNoViolations(page);
      // Nothing is wider than the window.
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
    });
  });
}
