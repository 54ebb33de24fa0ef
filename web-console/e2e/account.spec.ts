import type { APIRequestContext } from '@playwright/test';
import { changePassword, enter, makeAdmin, makeTenant, type Person } from './accounts';
import { expect, test, type Armada } from './armada';
import { expectNoViolations, refusals } from './axe';
import { fillLogin, signIn, signOut, userMenu } from './steps';
import { Authenticator } from './totp';

test.use({ config: '[identity]\nsecret_key = "a secret key that only this journey knows"\n' });

/** The administrator of a tenant of their own. */
const newAdmin = async (request: APIRequestContext, armada: Armada, name: string): Promise<Person> =>
  makeAdmin(request, armada, name, await makeTenant(request, armada, `Angkutan ${name}`));

test('a person changes their name and password', async ({ page, request, armada }) => {
  const refused = refusals(page);
  const admin = await newAdmin(request, armada, 'Ratna');
  await enter(page, '/maps', admin);
  await userMenu(page, 'Ratna').click();
  await page.getByRole('menuitem', { name: 'Akun saya' }).click();
  await expect(page).toHaveURL('/account');
  await expect(page.getByRole('listitem').filter({ hasText: 'Sesi ini' })).toBeVisible();
  await expectNoViolations(page);

  const profile = page.getByRole('region', { name: 'Profil' });
  await profile.getByLabel('Nama').fill('Ratna Dewi');
  await page.keyboard.press('Enter');
  await expect(userMenu(page, 'Ratna Dewi')).toBeVisible();

  const password = page.getByRole('region', { name: 'Kata sandi' });
  await password.getByLabel('Kata sandi sekarang').fill('not this one');
  await password.getByLabel('Kata sandi baru').fill('kuda benar baterai staples');
  await page.keyboard.press('Enter');
  await expect(password.getByRole('alert')).toBeVisible();
  await password.getByLabel('Kata sandi sekarang').fill(admin.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Kata sandi diganti. Sesi lain telah berakhir.')).toBeVisible();
  await signOut(page);
  await fillLogin(page, { email: admin.email, password: 'kuda benar baterai staples' });
  await expect(userMenu(page, 'Ratna Dewi')).toBeVisible();
  expect(refused).toEqual([]);
});

test('a person ends their other sessions', async ({ page, browser, request, armada }) => {
  const admin = await newAdmin(request, armada, 'Tuti');
  const elsewhere = await browser.newContext({ baseURL: armada.url });
  const other = await elsewhere.newPage();
  await enter(other, '/devices', admin);
  await enter(page, '/account', admin);
  const sessions = page.getByRole('region', { name: 'Sesi' });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await sessions.getByRole('button', { name: 'Akhiri semua sesi lain' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Akhiri semua sesi lain' }).click();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await other.reload();
  // Whoever was told so before, by the socket, comes to the sign-in.
  const asked = other.getByRole('dialog', { name: 'Sesi Anda telah berakhir' });
  await expect(asked.or(other.getByRole('heading', { name: 'Masuk', level: 1 }))).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await elsewhere.close();
});

test('a second factor is set up, asked for, used with a recovery code, and turned off', async ({
  page,
  request,
  armada,
}) => {
  const refused = refusals(page);
  const admin = await newAdmin(request, armada, 'Wati');
  await enter(page, '/account', admin);
  const factor = page.getByRole('region', { name: 'Verifikasi dua langkah' });
  await factor.getByRole('button', { name: 'Aktifkan' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Kata sandi sekarang').fill(admin.password);
  await page.keyboard.press('Enter');
  const picture = dialog.locator('img');
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
  const authenticator = new Authenticator((await dialog.locator('code').textContent()) ?? '');
  await dialog.getByLabel('Kode dari aplikasi').fill(authenticator.code());
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  const codes = await dialog.getByRole('listitem').allTextContents();
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Unduh' }).click();
  expect((await download).suggestedFilename()).toBe('kode-pemulihan-armada.txt');
  await dialog.getByRole('button', { name: 'Saya sudah menyimpannya' }).click();
  await expect(factor.getByText('10 kode pemulihan belum dipakai.')).toBeVisible();

  await signOut(page);
  await fillLogin(page, admin);
  await expect(page.getByRole('heading', { name: 'Verifikasi dua langkah' })).toBeVisible();
  await expectNoViolations(page);
  await page.getByLabel('Kode verifikasi').fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByLabel('Kode verifikasi').fill(authenticator.code());
  await page.keyboard.press('Enter');
  await expect(userMenu(page, 'Wati')).toBeVisible();

  await signOut(page);
  await fillLogin(page, admin);
  await page.getByRole('button', { name: 'Pakai kode pemulihan' }).click();
  await page.getByLabel('Kode pemulihan').fill(codes[0] ?? '');
  await page.keyboard.press('Enter');
  await expect(userMenu(page, 'Wati')).toBeVisible();
  await page.goto('/account');
  await expect(factor.getByText('9 kode pemulihan belum dipakai.')).toBeVisible();
  await factor.getByRole('button', { name: 'Nonaktifkan' }).click();
  await dialog.getByLabel('Kata sandi sekarang').fill(admin.password);
  await dialog.getByLabel('Kode verifikasi sekarang').fill(codes[1] ?? '');
  await page.keyboard.press('Enter');
  await expect(factor.getByRole('button', { name: 'Aktifkan' })).toBeVisible();
  expect(refused).toEqual([]);
});

test('guesses are slowed down, and the page says for how long', async ({ page, request, armada }) => {
  const admin = await newAdmin(request, armada, 'Yuni');
  await page.goto('/auth/login');
  const guess = { email: admin.email, password: 'not this one' };
  await expect(async () => {
    await fillLogin(page, guess);
    await expect(page.getByRole('alert')).toContainText(/Coba lagi dalam \d+ detik/, { timeout: 1_000 });
  }).toPass();
});

test('another user’s fleet is looked at, until one comes back', async ({ page, request, armada }) => {
  const tenant = await makeTenant(request, armada, 'Angkutan Bersama');
  const admin = await makeAdmin(request, armada, 'Ayu', tenant);
  const other = await makeAdmin(request, armada, 'Bagus', tenant);
  await enter(page, '/devices', admin);
  await userMenu(page, 'Ayu').click();
  await page.getByRole('menuitem', { name: 'Lihat armada pengguna lain' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pilih pengguna' });
  await dialog.getByRole('combobox', { name: 'Pengguna' }).click();
  await page.getByRole('option', { name: other.email }).click();
  const filteredRequest = page.waitForRequest((sent) => sent.url().includes(`userIds=${other.id}`));
  await dialog.getByRole('button', { name: 'Lihat armadanya' }).click();
  await filteredRequest;
  await expect(page.getByText('Anda melihat armada Bagus.')).toBeVisible();
  await expectNoViolations(page);
  await page.reload();
  await expect(page.getByText('Anda melihat armada Bagus.')).toBeVisible();
  await signOut(page);
  await fillLogin(page, admin);
  await expect(userMenu(page, 'Ayu')).toBeVisible();
  await expect(page.getByTestId('selected-user')).toBeHidden();
});

test('somebody whose password was changed for them signs in over their page with a second factor as well', async ({
  page,
  request,
  armada,
}) => {
  const admin = await newAdmin(request, armada, 'Endah');
  await signIn(page, '/account', admin);
  const factor = page.getByRole('region', { name: 'Verifikasi dua langkah' });
  await factor.getByRole('button', { name: 'Aktifkan' }).click();
  const setup = page.getByRole('dialog');
  await setup.getByLabel('Kata sandi sekarang').fill(admin.password);
  await page.keyboard.press('Enter');
  await expect(setup.locator('img')).toBeVisible();
  const authenticator = new Authenticator((await setup.locator('code').textContent()) ?? '');
  await setup.getByLabel('Kode dari aplikasi').fill(authenticator.code());
  await page.keyboard.press('Enter');
  await setup.getByRole('button', { name: 'Saya sudah menyimpannya' }).click();

  await changePassword(request, armada, admin, 'quite another password');
  await page.reload();
  const asked = page.getByRole('dialog', { name: 'Sesi Anda telah berakhir' });
  await asked.getByLabel('Kata sandi', { exact: true }).fill('quite another password');
  await page.keyboard.press('Enter');
  await asked.getByLabel('Kode verifikasi').fill(authenticator.code());
  await page.keyboard.press('Enter');
  await expect(asked).toBeHidden();
  await expect(factor.getByText('10 kode pemulihan belum dipakai.')).toBeVisible();
});
