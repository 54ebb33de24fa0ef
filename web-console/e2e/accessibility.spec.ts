import type { Page } from '@playwright/test';
import { PRINT_PATHS, PUBLIC_PATHS, SCREEN_PATHS } from '../src/app/paths';
import { expect, test } from './armada';
import { expectNoViolations, refusals } from './axe';
import { LOOKS, nameOf } from './sizes';
import { connectionBar, signIn } from './steps';

/** What opens over a screen, by what opens it. */
const OVERLAYS: { name: string; path: string; open: (page: Page) => Promise<void> }[] = [
  { name: 'palette', path: '/maps', open: (page) => page.keyboard.press('Control+k') },
  { name: 'keys', path: '/maps', open: (page) => page.keyboard.press('?') },
  { name: 'drawer', path: '/users?open=new', open: async () => undefined },
  { name: 'drawer with tabs', path: '/devices?open=new', open: async () => undefined },
  {
    name: 'question',
    path: '/tenants?open=new',
    open: async (page) => {
      await page.getByRole('dialog').getByLabel('Nama').fill('x');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('button', { name: 'Tetap di sini' })).toBeVisible();
    },
  },
];

async function shown(page: Page, path: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
  if (path === '/maps') await expect(connectionBar(page)).toHaveAttribute('data-state', 'connected');
}

for (const look of LOOKS) {
  test.describe(nameOf(look), () => {
    test.use({ ...look, contextOptions: { reducedMotion: 'reduce' } });

    test('no screen keeps anybody out', async ({ page }) => {
      const refused = refusals(page);
      for (const path of PUBLIC_PATHS) {
        await page.goto(path);
        await shown(page, path);
        await expectNoViolations(page);
      }
      await page.getByRole('button', { name: 'Masuk' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      await expectNoViolations(page);
      await signIn(page);
      for (const path of [...SCREEN_PATHS, ...PRINT_PATHS, '/no-such-page']) {
        await test.step(path, async () => {
          await page.goto(path);
          await shown(page, path);
          await expectNoViolations(page);
        });
      }
      expect(refused).toEqual([]);
    });

    test('nothing that opens over a screen does', async ({ page }) => {
      const refused = refusals(page);
      await signIn(page);
      for (const { name, path, open } of OVERLAYS) {
        await test.step(name, async () => {
          await page.goto(path);
          await shown(page, path);
          await open(page);
          await expect(page.getByRole('dialog').last()).toBeVisible();
          await expectNoViolations(page);
        });
      }
      await page.goto('/users');
      await page.getByRole('button', { name: /^Menu pengguna/ }).click();
      await expect(page.getByRole('menu')).toBeVisible();
      await expectNoViolations(page);
      expect(refused).toEqual([]);
    });
  });
}
