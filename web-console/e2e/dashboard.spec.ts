import { demoTenant, enter, makeAdmin } from './accounts';
import { expect, test } from './armada';
import { fillLogin, signIn } from './steps';

test.use({ demo: true, contextOptions: { reducedMotion: 'reduce' } });

test('the first screen tells how the fleet is, and each number opens its list', async ({ page, request, armada }) => {
  const admin = await makeAdmin(request, armada, 'Ratih', await demoTenant(request, armada));
  const vehicles = page.getByRole('region', { name: 'Kendaraan saat ini' });

  await test.step('it is where one lands without having asked for anything', async () => {
    await page.goto('/auth/login');
    await fillLogin(page, admin);
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { level: 1, name: 'Dasbor' })).toBeVisible();
    await expect(vehicles.getByRole('link', { name: /^Bergerak [1-9]/ })).toBeVisible();
  });

  await test.step('a number opens its list', async () => {
    await vehicles.getByRole('link', { name: /^Bergerak/ }).click();
    await expect(page).toHaveURL('/maps?states=moving');
    await expect(page.getByRole('button', { name: /^Bergerak/ })).toHaveAttribute('aria-pressed', 'true');
    await page.goBack();
    await page.getByRole('link', { name: /^Kedaluwarsa dalam 30 hari/ }).click();
    await expect(page).toHaveURL(/\/documents\?(.*&)?state=expiring/);
  });

  await test.step('it is arranged, and stays so', async () => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Atur dasbor' }).click();
    const kept = page.waitForResponse(
      (response) => response.url().endsWith('/preferences/dashboard') && response.request().method() === 'PUT',
    );
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Dokumen' }).uncheck();
    await page.keyboard.press('Escape');
    await kept;
    // As another browser of the same person: what this one remembers is gone.
    await page.evaluate(() =>
      Object.keys(localStorage)
        .filter((key) => key.startsWith('preference.'))
        .forEach((key) => localStorage.removeItem(key)),
    );
    await page.reload();
    await expect(page.getByRole('region', { name: 'Perawatan', exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Dokumen' })).toHaveCount(0);
  });

  await test.step('two keys lead back to it', async () => {
    await page.goto('/devices');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await expect(page).toHaveURL('/');
  });
});

test('who asked for a page still comes to it, and not to the dashboard', async ({ page }) => {
  await signIn(page, '/tenants');
  await expect(page).toHaveURL('/tenants');
});

for (const [width, columns] of [
  [390, 1],
  [1440, 3],
] as const) {
  test(`nothing is cut off at ${width}`, async ({ page, request, armada }) => {
    await page.setViewportSize({ width, height: 900 });
    await enter(page, '/', await makeAdmin(request, armada, 'Ratih', await demoTenant(request, armada)));
    const recent = page.getByRole('region', { name: 'Aktivitas terbaru' });
    await expect(recent).toBeVisible();
    const tracks = () =>
      recent.evaluate((tile) => getComputedStyle(tile.parentElement as Element).gridTemplateColumns.split(' ').length);
    // The sidebar takes its place a moment later.
    await expect.poll(tracks).toBe(columns);
    const main = page.locator('main');
    expect(await main.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
  });
}
