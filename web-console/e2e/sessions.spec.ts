import type { APIRequestContext } from '@playwright/test';
import { changePassword, makeAdmin, makeTenant, type Person } from './accounts';
import { OWNER, expect, test, type Armada } from './armada';
import { newImei } from './imei';
import { fillLogin, signIn, signOut, userMenu } from './steps';

/** The administrator of a tenant of their own. */
const newAdmin = async (request: APIRequestContext, armada: Armada, name: string): Promise<Person> =>
  makeAdmin(request, armada, name, await makeTenant(request, armada, `Angkutan ${name}`));

test('a deep link leads through the login page and back, with query and hash', async ({ page }) => {
  await page.goto('/tenants?q=tidak%20ada#isi');
  await expect(page).toHaveURL(/\/auth\/login\?next=/);
  await fillLogin(page, OWNER);
  await expect(page).toHaveURL('/tenants?q=tidak%20ada#isi');
  await expect(
    page
      .getByRole('searchbox')
      .or(page.getByRole('textbox', { name: /cari/i }))
      .first(),
  ).toHaveValue('tidak ada');
});

test('a prepared link does not lead elsewhere', async ({ page, baseURL }) => {
  await page.goto('/auth/login?next=https%3A%2F%2Fevil.example%2F');
  await fillLogin(page, OWNER);
  await expect(page).toHaveURL(`${baseURL}/`);
});

test('only the texts of the sign-in come with it, in one language', async ({ page }) => {
  const texts: string[] = [];
  page.on('response', (response) => {
    const name =
      /\/assets\/(account|auth|common|dashboard|devices|maps|registration|tenants|users|rejections|palette)-[^/]*\.js$/.exec(
        response.url(),
      )?.[1];
    if (name) texts.push(name);
  });
  await page.goto('/auth/login');
  await expect(page.getByRole('heading', { name: 'Masuk' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(texts.sort()).toEqual(['auth', 'common']);
  await expect(page.locator('html')).toHaveAttribute('lang', 'id');
  await page.getByRole('combobox', { name: 'Bahasa' }).selectOption('zh');
  await expect(page.getByRole('heading', { name: '登录' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh');
  expect(texts.sort()).toEqual(['auth', 'auth', 'common', 'common']);
});

test('a session that ends while somebody types costs nothing that was typed', async ({ page, request, armada }) => {
  const [admin, imei] = [await newAdmin(request, armada, 'Wulan'), newImei()];
  await signIn(page, '/devices', admin);
  await page.getByRole('button', { name: 'Tambah perangkat' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Perangkat baru' });
  await drawer.getByLabel('Nama', { exact: false }).first().fill('Truk Satu');
  await drawer.getByLabel('IMEI', { exact: false }).first().fill(imei);

  const password = 'quite another password';
  await changePassword(request, armada, admin, password);
  const dialog = page.getByRole('dialog', { name: 'Sesi Anda telah berakhir' });
  const save = drawer.getByRole('button', { name: 'Tambah perangkat' });
  await expect(async () => {
    if (!(await dialog.isVisible())) await save.click({ timeout: 1_000 });
    await expect(dialog).toBeVisible({ timeout: 2_000 });
  }).toPass();

  await expect(dialog.getByLabel('Email')).toHaveValue(admin.email);
  await page.keyboard.press('Escape');
  await dialog.getByLabel('Kata sandi', { exact: true }).fill('not this one');
  await dialog.getByRole('button', { name: 'Masuk', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Gagal melakukan login, coba lagi.Email atau kata sandi salah.');
  await dialog.getByLabel('Kata sandi', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Masuk', exact: true }).click();
  await expect(dialog).toBeHidden();

  // What was asked for before the session ended is done now.
  await expect(drawer).toBeHidden();
  await expect(page.getByRole('row').filter({ hasText: 'Truk Satu' })).toBeVisible();
});

test('signing out in one tab signs out the other, and signing in there revives both', async ({ context, page }) => {
  await signIn(page, '/tenants');
  const second = await context.newPage();
  await second.goto('/users');
  await signOut(second);
  await expect(page).toHaveURL('/auth/login');
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  await fillLogin(second, OWNER);
  await expect(userMenu(page)).toBeVisible();
});

test('a tab that slept through a change of person shows nothing of the one before', async ({
  context,
  page,
  request,
  armada,
}) => {
  const [sari, budi] = [await newAdmin(request, armada, 'Sari'), await newAdmin(request, armada, 'Budi')];
  // The first tab hears nothing of the other one, as if it were frozen.
  await page.addInitScript(() => window.addEventListener('storage', (event) => event.stopImmediatePropagation(), true));
  await signIn(page, '/devices', sari);
  await page.getByRole('button', { name: 'Tambah perangkat' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Perangkat baru' });
  await drawer.getByLabel('Nama', { exact: false }).first().fill('Milik Sari');
  await drawer.getByLabel('IMEI', { exact: false }).first().fill(newImei());

  await page.route('**/*', (route) => route.abort());

  const second = await context.newPage();
  await second.goto('/devices');
  await signOut(second);
  await fillLogin(second, budi);
  await expect(userMenu(second, 'Budi')).toBeVisible();

  // It finds out by its socket, or at the latest by what it asks for next.
  await page.unroute('**/*');
  const save = drawer.getByRole('button', { name: 'Tambah perangkat' });
  await expect(async () => {
    if (await save.isVisible()) await save.click({ timeout: 1_000 });
    await expect(userMenu(page, 'Budi')).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(page).toHaveURL('/');
  await expect(page.getByText('Anda kini masuk sebagai Budi')).toBeVisible();

  // Nothing of it went out in Budi's name.
  const headers = { authorization: `Bearer ${await second.evaluate(() => localStorage.getItem('token'))}` };
  const devices = await request.get(`${armada.url}/api/v1/devices`, { headers });
  expect(await devices.json()).toMatchObject({ total: 0 });
});
