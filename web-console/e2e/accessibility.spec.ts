import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './armada';
import { connectionBar, signIn } from './steps';

const SIZES = [
  { name: '1440', width: 1440, height: 900 },
  { name: '390', width: 390, height: 844 },
];
/** Each screen with what has to be there before it is looked at. */
const SCREENS: { path: string; shown: (page: Page) => Promise<void> }[] = [
  { path: '/maps', shown: (page) => expect(connectionBar(page)).toHaveAttribute('data-state', 'connected') },
  { path: '/devices', shown: (page) => expect(page.getByRole('heading', { name: 'Perangkat', exact: true })).toBeVisible() },
  { path: '/devices?open=new', shown: (page) => expect(page.getByRole('dialog')).toBeVisible() },
  { path: '/users', shown: (page) => expect(page.getByRole('table')).toBeVisible() },
  { path: '/users?open=new', shown: (page) => expect(page.getByRole('dialog')).toBeVisible() },
  { path: '/tenants', shown: (page) => expect(page.getByRole('heading', { name: 'Tenant', exact: true })).toBeVisible() },
  { path: '/position-rejections', shown: (page) => expect(page.getByRole('heading', { name: 'Posisi ditolak' })).toBeVisible() },
  { path: '/no-such-page', shown: (page) => expect(page.getByRole('heading', { name: 'Halaman tidak ditemukan' })).toBeVisible() },
];

async function expectNoViolations(page: Page): Promise<void> {
  // A drawer that is still sliding has colours of its own.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null))));
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map((node) => `${node.target} ${node.failureSummary}`) }));
  expect(found).toEqual([]);
}

for (const size of SIZES) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`${size.name} px, ${colorScheme}`, () => {
      test.use({ viewport: { width: size.width, height: size.height }, colorScheme, contextOptions: { reducedMotion: 'reduce' } });

      test('no screen has an accessibility violation', async ({ page }) => {
        const refused: string[] = [];
        page.on('console', (message) => {
          if (message.text().includes('Content Security Policy')) refused.push(message.text());
        });
        await page.goto('/auth/login');
        await expect(page.getByRole('heading', { name: 'Masuk' })).toBeVisible();
        await expectNoViolations(page);
        await page.getByRole('button', { name: 'Masuk' }).click();
        await expect(page.getByRole('alert')).toBeVisible();
        await expectNoViolations(page);
        await signIn(page);
        for (const { path, shown } of SCREENS) {
          await test.step(path, async () => {
            await page.goto(path);
            await shown(page);
            await expectNoViolations(page);
          });
        }
        expect(refused).toEqual([]);
      });
    });
  }
}
