import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { enter, makeAdmin, makeTenant, makeUser } from './accounts';
import { expect, test, type Armada } from './armada';
import { call, ownerToken } from './fleet';
import { signIn, signOut, userMenu } from './steps';

const PASSWORD = 'a good long password';

const dialog = (page: Page, name?: string) => page.getByRole('dialog', name === undefined ? {} : { name });
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** Opens the drawer of a new user and fills in who it is. */
async function fillNew(page: Page, name: string, email: string) {
  await page.getByRole('button', { name: 'Tambah pengguna' }).first().click();
  const drawer = dialog(page, 'Pengguna baru');
  await drawer.getByLabel('Nama').fill(name);
  await drawer.getByRole('textbox', { name: /^Email/ }).fill(email);
  return drawer;
}

async function chooseRole(page: Page, name: string): Promise<void> {
  await dialog(page).getByRole('combobox', { name: 'Peran' }).click();
  await page.getByRole('option', { name }).click();
  await page.keyboard.press('Tab');
}

/** Makes users of a tenant past the screens, each with the role of this name. */
async function makeUsers(armada: Armada, tenantId: string, names: string[], role: string) {
  const token = await ownerToken(armada);
  const roles = await call<{ items: { id: string; name: string }[] }>(
    armada,
    'GET',
    `/api/v1/roles?tenant_id=${tenantId}`,
    undefined,
    token,
  );
  const role_ids = roles.items.filter((each) => each.name === role).map(({ id }) => id);
  for (const name of names) {
    const email = `${name.toLowerCase()}.${tenantId.slice(-6)}@example.test`;
    const id = await makeUser(armada, token, { name, email, password: PASSWORD, tenant_id: tenantId });
    await call(armada, 'PUT', `/api/v1/users/${id}/roles`, { role_ids }, token);
  }
}

test('somebody is invited, comes in by the link, and is let go', async ({ page, request, armada, browser }) => {
  const tenantId = await makeTenant(request, armada, 'Undangan Jaya');
  const admin = await makeAdmin(request, armada, 'Ratna', tenantId);
  const email = `joko.${tenantId.slice(-6)}@example.test`;
  await enter(page, '/users', admin);
  let link = '';

  await test.step('without a mail server the link is shown, and stays until it has been taken', async () => {
    const drawer = await fillNew(page, 'Joko', email);
    await drawer.getByRole('switch', { name: 'Kirim undangan' }).check();
    await chooseRole(page, 'Pemantau');
    await drawer.getByRole('button', { name: 'Tambah pengguna' }).click();
    const shown = dialog(page, 'Undangan untuk Joko');
    await expect(shown).toBeVisible();
    await page.keyboard.press('Escape');
    link = await shown.getByLabel('Tautan sekali pakai').inputValue();
    expect(link).toContain('/auth/invitation#');
    await shown.getByRole('button', { name: 'Sudah saya simpan' }).click();
    await expect(row(page, email)).toContainText('Diundang');
    await expect(row(page, email)).toContainText('Pemantau');
  });

  await test.step('an invitation that was sent again replaces the first', async () => {
    await page.getByRole('button', { name: 'Joko', exact: true }).click();
    await page.getByRole('button', { name: 'Kirim undangan lagi' }).click();
    await dialog(page, 'Kirim undangan lagi kepada Joko?').getByRole('button', { name: 'Kirim undangan lagi' }).click();
    const shown = dialog(page, 'Undangan untuk Joko');
    const second = await shown.getByLabel('Tautan sekali pakai').inputValue();
    expect(second).not.toBe(link);
    const used = (token: string) =>
      request.post(`${armada.url}/auth/links/use`, { data: { token, new_password: PASSWORD } });
    expect((await used(link.split('#')[1] ?? '')).status()).toBe(404);
    expect((await used(second.split('#')[1] ?? '')).status()).toBe(204);
    await shown.getByRole('button', { name: 'Sudah saya simpan' }).click();
  });

  const context = await browser.newContext({ baseURL: armada.url });
  const theirs = await context.newPage();
  await test.step('they are in, and the list says so', async () => {
    await signIn(theirs, '/maps', { email, password: PASSWORD });
    await page.goto('/users');
    await expect(row(page, email)).toContainText('Aktif');
    await expect(row(page, email)).not.toContainText('Belum pernah');
  });

  await test.step('who is deactivated is out', async () => {
    await page.getByRole('button', { name: 'Joko', exact: true }).click();
    const drawer = dialog(page, 'Joko');
    await drawer.getByRole('switch', { name: 'Aktif', exact: false }).last().uncheck();
    await drawer.getByRole('button', { name: 'Simpan perubahan' }).click();
    const question = dialog(page, 'Ubah Joko?');
    await expect(question).toContainText('semua sesinya berakhir');
    await question.getByRole('button', { name: 'Simpan' }).click();
    await expect(page.getByText('Pengguna berhasil diperbarui.')).toBeVisible();
    await expect(row(page, email)).toContainText('Nonaktif');
    await theirs.reload();
    await expect(
      dialog(theirs, 'Sesi Anda telah berakhir')
        .or(theirs.getByRole('heading', { name: 'Masuk', exact: true }))
        .first(),
    ).toBeVisible();
    await context.close();
  });

  await test.step('and can be deleted, after the name was typed', async () => {
    await page.getByRole('button', { name: 'Joko', exact: true }).click();
    await dialog(page, 'Joko').getByRole('button', { name: 'Hapus' }).click();
    const question = dialog(page, 'Hapus Joko?');
    await expect(question.getByRole('button', { name: 'Hapus' })).toBeDisabled();
    await question.getByRole('textbox').fill('Joko');
    await question.getByRole('button', { name: 'Hapus' }).click();
    await expect(page.getByText('Pengguna berhasil dihapus.')).toBeVisible();
    await expect(row(page, email)).toHaveCount(0);
  });
});

test('nobody gives more than they hold', async ({ page, request, armada }) => {
  const tenantId = await makeTenant(request, armada, 'Personalia Jaya');
  const token = await ownerToken(armada);
  const role = await call<{ id: string }>(
    armada,
    'POST',
    '/api/v1/roles',
    { name: 'Personalia', tenant_id: tenantId },
    token,
  );
  const keys = ['user:list', 'user:create', 'user:assign_roles', 'role:list'];
  const items = keys.map((key) => ({ key, effect: 'allow' }));
  await call(armada, 'PUT', `/api/v1/roles/${role.id}/permissions`, { items }, token);
  await makeUsers(armada, tenantId, ['Endang'], 'Personalia');
  await signIn(page, '/users', { email: `endang.${tenantId.slice(-6)}@example.test`, password: PASSWORD });

  await test.step('the roles are refused at their field', async () => {
    const drawer = await fillNew(page, 'Tono', `tono.${tenantId.slice(-6)}@example.test`);
    await drawer.getByLabel('Kata sandi').first().fill(PASSWORD);
    await expect(drawer.getByRole('switch', { name: 'Admin perusahaan' })).toHaveCount(0);
    await chooseRole(page, 'Manajer');
    await drawer.getByRole('button', { name: 'Tambah pengguna' }).click();
    await expect(drawer.getByRole('alert')).toContainText('Peran pengguna tersimpan sebagian. Silakan coba lagi.');
    await expect(drawer.getByRole('combobox', { name: 'Peran' })).toHaveAttribute('aria-invalid', 'true');
  });

  await test.step('others are given, to the user that there is already', async () => {
    await dialog(page).getByRole('combobox', { name: 'Peran' }).click();
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Tab');
    await chooseRole(page, 'Personalia');
    await dialog(page).getByRole('button', { name: 'Tambah pengguna' }).click();
    await expect(page.getByText('Pengguna baru berhasil ditambahkan.')).toBeVisible();
    await expect(row(page, 'Tono')).toHaveCount(1);
    await expect(row(page, 'Tono')).toContainText('Personalia');
  });

  await test.step('and what they may not do is not offered', async () => {
    await expect(page.getByRole('button', { name: 'Ekspor' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Tono', exact: true }).click();
    const drawer = dialog(page, 'Tono');
    await expect(drawer.getByLabel('Nama')).toHaveAttribute('readonly', '');
    await expect(drawer.getByRole('button', { name: /^Hapus$|Kirim/ })).toHaveCount(0);
    // Roles are theirs to give, and nothing else.
    await expect(drawer.getByRole('combobox', { name: 'Peran' })).toBeEnabled();
    await expect(drawer.getByRole('button', { name: 'Simpan perubahan' })).toBeVisible();
    await page.keyboard.press('Escape');
    await signOut(page);
  });
});

test('many users are narrowed, counted, exported and changed', async ({ page, request, armada }) => {
  const tenantId = await makeTenant(request, armada, 'Orang Banyak');
  const admin = await makeAdmin(request, armada, 'Wulan', tenantId);
  const names = Array.from({ length: 28 }, (_, index) => `Orang${String(index + 1).padStart(2, '0')}`);
  await makeUsers(armada, tenantId, names, 'Pemantau');
  await enter(page, '/users', admin);
  await expect(page.getByText('1–25 dari 29')).toBeVisible();
  const cards = page.getByRole('list', { name: 'Ringkasan pengguna' });
  await expect(cards.getByRole('listitem').first()).toHaveText('Semua29');

  await test.step('several are deactivated, oneself is not', async () => {
    for (const name of ['Orang01', 'Orang02']) await page.getByRole('checkbox', { name: `Pilih ${name}` }).check();
    await page.getByRole('button', { name: 'Nonaktifkan' }).click();
    await dialog(page).getByRole('button', { name: 'Nonaktifkan' }).click();
    await expect(page.getByText('Selesai: 2')).toBeVisible();
    await page.goto('/users?q=Wulan');
    await page.getByRole('checkbox', { name: 'Pilih Wulan' }).check();
    await page.getByRole('button', { name: 'Nonaktifkan' }).click();
    await dialog(page).getByRole('button', { name: 'Nonaktifkan' }).click();
    await page.getByRole('link', { name: 'Lihat yang gagal' }).click();
    await expect(dialog(page, 'Ubah pengguna')).toContainText('Anda tidak dapat menonaktifkan akun sendiri.');
    await page.keyboard.press('Escape');
    await expect(userMenu(page, 'Wulan')).toBeVisible();
  });

  await test.step('a number of the summary narrows the list, and the address keeps it', async () => {
    await page.goto('/users');
    await cards.getByRole('button', { name: /^Nonaktif/ }).click();
    await expect(page.getByText('1–2 dari 2')).toBeVisible();
    await expect(page).toHaveURL(/status=inactive/);
    await page.reload();
    await expect(page.getByText('1–2 dari 2')).toBeVisible();
    await expect(cards.getByRole('button', { name: /^Nonaktif/ })).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('the summary can be put away for good', async () => {
    await page.getByRole('button', { name: 'Sembunyikan ringkasan' }).click();
    await page.reload();
    await expect(page.getByText('1–2 dari 2')).toBeVisible();
    await expect(cards).toHaveCount(0);
    await page.getByRole('button', { name: 'Tampilkan ringkasan' }).click();
    await expect(cards).toBeVisible();
  });

  await test.step('files and paper have those that match', async () => {
    const arrives = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Ekspor' }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const csv = (await readFile(await (await arrives).path())).toString();
    expect(csv.trim().split('\r\n')).toHaveLength(3);
    expect(csv).toContain('Pemantau');
    const pdf = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Ekspor' }).click();
    await page.getByRole('menuitem', { name: 'PDF' }).click();
    expect((await readFile(await (await pdf).path())).subarray(0, 5).toString()).toBe('%PDF-');
  });
});

test('a user is edited on a phone, by keyboard alone', async ({ page, request, armada }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const tenantId = await makeTenant(request, armada, 'Telepon Jaya');
  const admin = await makeAdmin(request, armada, 'Dewi', tenantId);
  await makeUsers(armada, tenantId, ['Slamet'], 'Pemantau');
  await enter(page, '/users', admin);
  const card = page.getByRole('button', { name: /^Slamet/ });
  await card.focus();
  await page.keyboard.press('Enter');
  const drawer = dialog(page, 'Slamet');
  await expect(drawer.getByLabel('Nama')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.type(' Riyadi');
  await page.keyboard.press('Enter');
  const question = dialog(page, 'Ubah Slamet?');
  await expect(question.getByRole('button', { name: 'Simpan' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Pengguna berhasil diperbarui.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Slamet Riyadi/ })).toBeVisible();
  const wider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(wider).toBe(false);
});
