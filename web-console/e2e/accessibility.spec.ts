import type { Page } from '@playwright/test';
import { PUBLIC_PATHS, SCREEN_PATHS } from '../src/app/paths';
import { demoTenant, enter, makeAdmin } from './accounts';
import { expect, test } from './armada';
import { expectNoViolations, refusals } from './axe';
import { VIEWPORTS } from './sizes';
import { connectionBar, userMenu, visit } from './steps';

/** What opens over a screen, what opens it, and what it is. */
const OVERLAYS: { name: string; path: string; open?: (page: Page) => Promise<void>; role?: 'menu' }[] = [
  { name: 'palette', path: '/tenants', open: (page) => page.keyboard.press('Control+k') },
  { name: 'keys', path: '/tenants', open: (page) => page.keyboard.press('?') },
  { name: 'drawer', path: '/users?open=new' },
  { name: 'drawer with tabs', path: '/devices?open=new' },
  {
    name: 'question',
    path: '/tenants?open=new',
    open: async (page) => {
      await page.getByRole('dialog').getByLabel('Nama').fill('x');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('button', { name: 'Tetap di sini' })).toBeVisible();
    },
  },
  { name: 'user menu', path: '/users', open: (page) => userMenu(page).click(), role: 'menu' },
  {
    name: 'languages',
    path: '/users',
    open: (page) => page.getByRole('button', { name: 'Bahasa' }).click(),
    role: 'menu',
  },
];

async function show(page: Page, path: string, isOpen = false): Promise<void> {
  if (isOpen) await visit(page, path);
  else await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
  if (path === '/maps') await expect(connectionBar(page)).toHaveAttribute('data-state', 'connected');
}

/** What does not fit: lists that scroll sideways, and tabs in a second row. */
const misfits = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const lists = [...document.querySelectorAll('main table')].filter(({ parentElement: around }) => {
      return around !== null && around.scrollWidth > around.clientWidth + 1;
    });
    const tabs = [...document.querySelectorAll('[role=tablist]')].filter(({ children }) => {
      return new Set([...children].map((tab) => tab.getBoundingClientRect().top)).size > 1;
    });
    return [...lists, ...tabs].map((each) => each.getAttribute('aria-label') ?? each.className);
  });

// Tables and map are full: what is in them can keep somebody out as well.
test.use({ demo: true, contextOptions: { reducedMotion: 'reduce' } });

test.describe.configure({ timeout: 300_000 });

for (const viewport of VIEWPORTS) {
  test.describe(`${viewport.width}`, () => {
    test.use({ viewport });

    test('no screen keeps anybody out', async ({ page }) => {
      const refused = refusals(page);
      for (const path of [...PUBLIC_PATHS, '/share#nobody']) {
        await show(page, path);
        await expectNoViolations(page);
      }
      await show(page, '/auth/login');
      await page.getByRole('button', { name: 'Masuk' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      await expectNoViolations(page);
      await enter(page, '/no-such-page');
      for (const path of [...SCREEN_PATHS, '/no-such-page']) {
        await test.step(path, async () => {
          await show(page, path, true);
          await expectNoViolations(page);
          // Of an alarm more is said than fits.
          expect.soft(await misfits(page), path).toEqual([]);
        });
      }
      expect(refused).toEqual([]);
    });

    test('nothing that opens over a screen does', async ({ page }) => {
      const refused = refusals(page);
      await enter(page, '/users');
      for (const { name, path, open, role = 'dialog' } of OVERLAYS) {
        await test.step(name, async () => {
          await show(page, path);
          await open?.(page);
          await expect(page.getByRole(role).last()).toBeVisible();
          await expectNoViolations(page);
        });
      }
      if (viewport.width < 1024) {
        await show(page, '/users');
        await page.getByRole('button', { name: 'Buka atau tutup bilah sisi' }).click();
        await expect(page.getByRole('dialog').getByRole('navigation')).toBeVisible();
        await expectNoViolations(page);
      }
      await show(page, '/maps');
      const panel = page.getByRole('button', { name: 'Bentangkan daftar' });
      if (await panel.isVisible()) await panel.click();
      await page.getByRole('list', { name: 'Daftar kendaraan' }).getByRole('button').first().press('Enter');
      await expect(page.getByTestId('vehicle-card')).toBeVisible();
      await expectNoViolations(page);
      expect(refused).toEqual([]);
    });

    test('nor does what a screen says by itself', async ({ page, context, request, armada }) => {
      const refused = refusals(page);
      const admin = await makeAdmin(request, armada, 'Dewi', await demoTenant(request, armada));
      await enter(page, '/tenants', admin);

      await test.step('no right to see it, in a demonstration', async () => {
        await expect(page.getByText('Anda tidak memiliki akses ke halaman tenant.')).toBeVisible();
        await expect(page.getByRole('banner').getByText(/^Demo /)).toBeVisible();
        await expectNoViolations(page);
      });

      await test.step('no network', async () => {
        await show(page, '/devices');
        // What the page is made of has to be here before the network goes.
        await expect(page.getByRole('button', { name: 'Tambah perangkat' }).first()).toBeVisible();
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        await context.setOffline(true);
        await expect(page.getByTestId('connection-banner')).toHaveAttribute('data-network', 'offline');
        await expectNoViolations(page);
        await context.setOffline(false);
        await expect(page.getByTestId('connection-banner')).toHaveAttribute('data-network', 'up');
      });

      await test.step('the session has ended', async () => {
        await page.evaluate(() => fetch('/auth/logout', { method: 'POST' }).then(() => undefined));
        await page.getByRole('button', { name: 'Tambah perangkat' }).first().click();
        const asked = page.getByRole('dialog', { name: 'Sesi Anda telah berakhir' });
        await expect(asked).toBeVisible();
        // What was asked for behind it waits.
        await expectNoViolations(page, '[role=dialog]');
        await asked.getByRole('button', { name: 'Masuk', exact: true }).click();
        await expect(asked.getByRole('alert')).toBeVisible();
        await expectNoViolations(page, '[role=dialog]');
      });
      expect(refused).toEqual([]);
    });
  });
}
