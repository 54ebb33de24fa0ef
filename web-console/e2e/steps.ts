import type { Locator, Page } from '@playwright/test';
import { OWNER, expect } from './armada';

/** Somebody who can sign in. */
export interface Account {
  email: string;
  password: string;
}

/** Fills the login form that is on the screen. */
export async function fillLogin(page: Page, account: Account): Promise<void> {
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Kata sandi', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Masuk' }).click();
}

/** The password that somebody else chooses for an account. */
const given = ({ name }: { name: string }) => `dipilihkan untuk orang ini: ${name.length}`;

/** Fills the login form with the password that was given, and chooses the account's own as one must then. */
export async function fillFirstLogin(page: Page, account: Account & { name: string }): Promise<void> {
  await fillLogin(page, { email: account.email, password: given(account) });
  await expect(page.getByRole('heading', { name: 'Buat kata sandi Anda' })).toBeVisible();
  await page.getByLabel('Kata sandi yang Anda terima').fill(given(account));
  await page.getByLabel('Kata sandi baru').fill(account.password);
  await page.getByRole('button', { name: 'Simpan kata sandi' }).click();
  await expect(userMenu(page)).toBeVisible();
}

/** The button with the name of who is signed in. */
export const userMenu = (page: Page, name = ''): Locator =>
  page.getByRole('button', { name: `Menu pengguna: ${name}` });

/** Opens a page and signs in on the way. */
export async function signIn(page: Page, path = '/maps', account: Account = OWNER): Promise<void> {
  await page.goto(path);
  await fillLogin(page, account);
  await expect(userMenu(page)).toBeVisible();
}

/**
 * Goes to another screen of the page that is open, as its links do: to load the page anew for each of forty screens takes
 * minutes of a test run. The heading of the screen before has to be gone, since that screen stays until the next is there.
 */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate((path) => {
    document.querySelectorAll('h1').forEach((heading) => heading.setAttribute('data-before', ''));
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await expect(page.locator('h1[data-before]')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
}

/** Signs out through the user menu. */
export async function signOut(page: Page): Promise<void> {
  await userMenu(page).click();
  await page.getByRole('menuitem', { name: 'Keluar' }).click();
  await expect(page.getByRole('heading', { name: 'Masuk' })).toBeVisible();
}

/** Makes a tenant through the screens. */
export async function createTenant(page: Page, name: string): Promise<void> {
  await page.goto(`/tenants?q=${encodeURIComponent(name)}`);
  await page.getByRole('button', { name: 'Tambah tenant' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Tenant baru' });
  await drawer.getByLabel('Nama').fill(name);
  await drawer.getByRole('button', { name: 'Tambah tenant' }).click();
  await expect(drawer).toBeHidden();
  await expect(page.getByRole('cell', { name })).toBeVisible();
}

/** Makes the administrator of a tenant through the screens; `fillFirstLogin` signs them in for the first time. */
export async function createAdmin(page: Page, tenant: string, account: Account & { name: string }): Promise<void> {
  await page.goto(`/users?q=${encodeURIComponent(account.email)}`);
  await page.getByRole('button', { name: 'Tambah pengguna' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Pengguna baru' });
  await drawer.getByLabel('Nama').fill(account.name);
  await drawer.getByRole('textbox', { name: /^Email/ }).fill(account.email);
  // The switch of the invitation speaks of a password, too.
  await drawer.locator('input[name="password"]').fill(given(account));
  await drawer.getByRole('combobox', { name: 'Tenant' }).click();
  await page.getByRole('option', { name: tenant }).click();
  await drawer.getByRole('combobox', { name: 'Peran' }).click();
  await page.getByRole('option', { name: 'Manajer' }).click();
  // The list of roles stays open for further ones, over what comes next.
  await page.keyboard.press('Tab');
  await drawer.getByRole('switch', { name: 'Admin perusahaan' }).check();
  await drawer.getByRole('button', { name: 'Tambah pengguna' }).click();
  await expect(drawer).toBeHidden();
  await expect(page.getByRole('cell', { name: account.email })).toBeVisible();
}

/** Makes a device of the signed-in administrator's tenant through the screens. */
export async function createDevice(page: Page, name: string, imei: string): Promise<void> {
  await page.goto(`/devices?q=${imei}`);
  await page.getByRole('button', { name: 'Tambah perangkat' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Perangkat baru' });
  await drawer.getByLabel('Nama').fill(name);
  await drawer.getByLabel('IMEI').fill(imei);
  await drawer.getByRole('button', { name: 'Tambah perangkat' }).click();
  await expect(drawer).toBeHidden();
  await expect(page.getByRole('cell', { name, exact: true })).toBeVisible();
}

/** A vehicle's row in the list of the map. */
export const vehicleRow = (page: Page, name: string): Locator =>
  page.getByRole('list', { name: 'Daftar kendaraan' }).getByRole('button').filter({ hasText: name });

/** The line that says whether the map is live. */
export const connectionBar = (page: Page): Locator => page.getByTestId('connection');
