import type { Locator, Page } from '@playwright/test';
import { enter } from './accounts';
import { OWNER, expect, test } from './armada';

/** Presses Tab until the keyboard is there, and demands that it can be seen wherever it comes by. */
async function tabTo(page: Page, there: Locator, key = 'Tab'): Promise<void> {
  for (let step = 0; step < 100; step++) {
    if (await there.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
    await expectVisibleFocus(page);
  }
  throw new Error(`${there} cannot be reached with ${key}`);
}

/** Whatever has the focus has a ring: itself, the field around it or the track of its switch. */
async function expectVisibleFocus(page: Page): Promise<void> {
  const shown = await page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return true;
    const carriers = [element, element.parentElement, ...(element.parentElement?.querySelectorAll('label') ?? [])];
    const ringed = carriers.some((carrier) => {
      const style = carrier && getComputedStyle(carrier);
      return style && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
    });
    return ringed || element.outerHTML.slice(0, 200);
  });
  expect(shown).toBe(true);
}

const dialog = (page: Page, name?: string | RegExp) => page.getByRole('dialog', name === undefined ? {} : { name });

/** Tab never leaves what is open. */
async function expectTrapped(page: Page, inside: Locator): Promise<void> {
  for (let step = 0; step < 20; step++) {
    await page.keyboard.press('Tab');
    expect(await inside.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
}

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('signing in without a mouse', async ({ page }) => {
  await page.goto('/auth/login');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.type(OWNER.email);
  await tabTo(page, page.getByLabel('Kata sandi', { exact: true }));
  await page.keyboard.type(OWNER.password);
  await tabTo(page, page.getByRole('button', { name: 'Masuk' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Dasbor' })).toBeVisible();
});

test('past the navigation, through a table, into a drawer and back', async ({ page }) => {
  await enter(page, '/users');
  const row = page.getByRole('button', { name: 'Platform owner', exact: true });
  await expect(row).toBeVisible();

  await test.step('the first key leads past the navigation', async () => {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Langsung ke isi' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.locator('main')).toBeFocused();
  });

  await test.step('a row opens and its drawer keeps the keyboard', async () => {
    await tabTo(page, row);
    await page.keyboard.press('Enter');
    const drawer = dialog(page, 'Platform owner');
    await expect(drawer.getByLabel('Nama')).toBeFocused();
    await expectTrapped(page, drawer);
    await tabTo(page, drawer.getByRole('textbox', { name: 'Telepon' }), 'Shift+Tab');
  });

  await test.step('Esc closes it, and the keyboard is back at the row', async () => {
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
    await expect(row).toBeFocused();
  });

  await test.step('what was typed is asked about in a dialog of its own', async () => {
    await page.keyboard.press('Enter');
    const drawer = dialog(page, 'Platform owner');
    await expect(drawer.getByLabel('Nama')).toBeFocused();
    await page.keyboard.press('End');
    await page.keyboard.type(' X');
    await page.keyboard.press('Escape');
    const question = dialog(page, 'Buang perubahan?');
    await expect(question.getByRole('button', { name: 'Tetap di sini' })).toBeFocused();
    await expectTrapped(page, question);
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await expect(drawer.getByLabel('Nama')).toHaveValue('Platform owner X');
    await expect(drawer.getByLabel('Nama')).toBeFocused();
    await page.keyboard.press('Escape');
    await tabTo(page, question.getByRole('button', { name: 'Buang' }));
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toHaveCount(0);
  });
});

test('anywhere by a few letters', async ({ page }) => {
  await enter(page, '/users');
  const search = page.getByRole('textbox', { name: 'Cari kendaraan, halaman, atau perintah' });

  await test.step('the palette goes to a screen', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Pengguna' })).toBeVisible();
    await page.keyboard.press('Control+k');
    // Who types at once types into the palette, however long it takes to open: `g` and `p` lead to a screen elsewhere.
    await page.keyboard.type('gposisi', { delay: 20 });
    await expect(search).toHaveValue('gposisi');
    await page.keyboard.press('Home');
    await page.keyboard.press('Delete');
    await expect(dialog(page).getByRole('status')).toContainText('Posisi ditolak, 1 dari');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/position-rejections');
    await expect(page.locator('main')).toBeFocused();
  });

  await test.step('and finds what the server knows', async () => {
    await page.keyboard.press('Control+k');
    await expect(search).toBeFocused();
    await page.keyboard.type(OWNER.email);
    await expect(dialog(page).getByRole('status')).toContainText('Platform owner, 1 dari 1');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/users\?open=/);
    await expect(dialog(page, 'Platform owner')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
  });

  await test.step('two keys lead to a screen, but not while somebody types', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await expect(page).toHaveURL('/tenants');
    await expect(page.getByRole('heading', { level: 1, name: 'Tenant' })).toBeVisible();
    const field = page.getByRole('main').getByRole('searchbox');
    await field.focus();
    await page.keyboard.type('gd?');
    await expect(field).toHaveValue('gd?');
    expect(new URL(page.url()).pathname).toBe('/tenants');
    await expect(dialog(page)).toHaveCount(0);
  });

  await test.step('and one shows them all', async () => {
    await page.locator('main').focus();
    await page.keyboard.press('?');
    await expect(dialog(page, 'Pintasan keyboard')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
  });
});

test('on a phone the navigation opens, keeps the keyboard and closes after going somewhere', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enter(page, '/users');
  const toggle = page.getByRole('button', { name: 'Buka atau tutup bilah sisi' });
  await toggle.focus();
  await page.keyboard.press('Enter');
  const navigation = dialog(page, 'Armada');
  await expectTrapped(page, navigation);
  await page.keyboard.press('Escape');
  await expect(navigation).toHaveCount(0);
  await expect(toggle).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, navigation.getByRole('link', { name: 'Tenant' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/tenants');
  await expect(navigation).toHaveCount(0);
  await expect(page.locator('main')).toBeFocused();
});
