import type { APIRequestContext } from '@playwright/test';
import { test as base, expect } from './armada';
import { expectNoViolations, refusals } from './axe';
import { Mailbox } from './mailbox';
import { fillLogin, userMenu } from './steps';
import { Authenticator } from './totp';

/** Armada with a mail server, which asks a second factor of admins. Links in letters name another host than this one. */
const test = base.extend<object, { mailbox: Mailbox }>({
  mailbox: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const mailbox = await Mailbox.open();
      await use(mailbox);
      mailbox.close();
    },
    { scope: 'worker' },
  ],
  config: [
    async ({ mailbox }, use) =>
      use(`[identity]
public_url = "http://fleet.example"
secret_key = "a secret key that only this journey knows"
require_totp_for_admins = true
terms_url = "https://fleet.example/terms"

[identity.mail]
smtp_url = "${mailbox.url}"
from = "Armada <armada@fleet.example>"
`),
    { scope: 'worker' },
  ],
});

const PASSWORD = 'kuda benar baterai staples';

test('a company registers, confirms its address, sets up a second factor and comes in', async ({ page, mailbox }) => {
  const refused = refusals(page);
  const account = { email: 'budi@maju.example', password: PASSWORD };
  await page.goto('/auth/login');
  await page.getByRole('link', { name: 'Daftarkan perusahaan' }).click();
  await expect(page.getByRole('heading', { name: 'Daftarkan perusahaan Anda' })).toBeVisible();
  await expectNoViolations(page);

  // By keyboard alone.
  await page.getByLabel('Nama perusahaan').focus();
  for (const text of ['PT Maju', 'Budi', account.email, '+62 812 3456 7890']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.type('01.234.567.8-901.000');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'syarat layanan dan kebijakan privasi' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Periksa email Anda' })).toBeVisible();

  // Not before the address is confirmed.
  await page.getByRole('link', { name: 'Kembali ke halaman masuk' }).click();
  await fillLogin(page, account);
  await expect(page.getByRole('alert')).toBeVisible();

  await page.goto(await mailbox.link(account.email));
  await expect(page.getByText('Konfirmasikan bahwa alamat ini milik Anda')).toBeVisible();
  await expect(page).toHaveURL('/auth/verify');
  await expectNoViolations(page);
  await page.getByLabel('Kata sandi baru').fill(account.password);
  await page.getByRole('button', { name: 'Konfirmasi' }).click();
  await expect(page.getByText('Alamat email dikonfirmasi')).toBeVisible();

  await expect(page.getByText('Aktifkan verifikasi dua langkah dahulu')).toBeVisible();
  await expect(page).toHaveURL('/account');
  await page.goto('/devices?q=truk');
  await expect(page).toHaveURL('/account?next=%2Fdevices%3Fq%3Dtruk');
  await expect(page.getByRole('navigation').getByRole('link')).toHaveCount(0);
  await expectNoViolations(page);
  await page.getByRole('region', { name: 'Verifikasi dua langkah' }).getByRole('button', { name: 'Aktifkan' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Kata sandi sekarang').fill(account.password);
  await page.keyboard.press('Enter');
  await expect(dialog.locator('img')).toBeVisible();
  await expectNoViolations(page, '[role=dialog]');
  const secret = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByLabel('Kode dari aplikasi').fill(new Authenticator(secret).code());
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  await expectNoViolations(page, '[role=dialog]');
  await dialog.getByRole('button', { name: 'Saya sudah menyimpannya' }).click();
  await expect(page).toHaveURL('/devices?q=truk');
  await expect(userMenu(page, 'Budi')).toBeVisible();
  expect(refused).toEqual([]);
});

/** Registers a company past the screens, and returns the link that confirms its address. */
async function register(
  request: APIRequestContext,
  mailbox: Mailbox,
  name: string,
): Promise<{ email: string; link: string }> {
  const email = `${name.toLowerCase()}@registered.example`;
  const data = { company: `PT ${name}`, name, email, phone: '0812', accepts_terms: true };
  expect((await request.post('/auth/register', { data })).status()).toBe(204);
  return { email, link: await mailbox.link(email) };
}

test('the link of a registration holds once', async ({ page, request, mailbox }) => {
  const { link } = await register(request, mailbox, 'Dwi');
  await page.goto(link);
  await page.getByLabel('Kata sandi baru').fill(PASSWORD);
  await page.getByRole('button', { name: 'Konfirmasi' }).click();
  await expect(page.getByText('Alamat email dikonfirmasi')).toBeVisible();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Tautan ini tidak berlaku lagi' })).toBeVisible();
  await expect(page).toHaveURL('/auth/verify');
  await expectNoViolations(page);
  await page.getByRole('link', { name: 'Minta tautan kata sandi baru' }).click();
  await expect(page.getByRole('heading', { name: 'Lupa kata sandi?' })).toBeVisible();
});

test('a forgotten password is chosen anew, and nobody learns who has an account', async ({
  page,
  request,
  mailbox,
}) => {
  const { email, link } = await register(request, mailbox, 'Lestari');
  const token = link.slice(link.indexOf('#') + 1);
  expect((await request.post('/auth/links/use', { data: { token, new_password: PASSWORD } })).status()).toBe(204);
  const words = async (asked: string) => {
    await page.goto('/auth/login');
    await page.getByRole('link', { name: 'Lupa kata sandi?' }).click();
    await expect(page.getByRole('heading', { name: 'Lupa kata sandi?' })).toBeVisible();
    await page.getByLabel('Email').fill(asked);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Periksa email Anda' })).toBeVisible();
    return (await page.getByRole('main').innerText()).replaceAll(asked, '…');
  };
  const unknown = await words('nobody@example.test');
  expect(await words(email)).toBe(unknown);

  await page.goto(await mailbox.link(email));
  await expect(page).toHaveURL('/auth/reset');
  await page.getByLabel('Kata sandi baru').fill('password1');
  await expect(page.getByRole('status').filter({ hasText: 'Terlalu umum' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByLabel('Kata sandi baru').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Kata sandi diganti', { exact: true })).toBeVisible();
  await expect(userMenu(page, 'Lestari')).toBeVisible();
});
