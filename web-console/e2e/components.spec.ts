import type { Locator, Page } from '@playwright/test';
import { expectNoViolations, refusals } from './axe';
import { expect, test } from './componentPage';
import { VIEWPORTS, byDayAndNight } from './sizes';

/** What opens over the page, and what is done there before it is looked at. */
const OVERLAYS: Record<string, (page: Page) => Promise<void>> = {
  'drawer-form': async () => undefined,
  'drawer-refused': async (page) => {
    await page.getByRole('dialog').getByRole('button', { name: 'Simpan perubahan' }).click();
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  },
  'drawer-tabs': async (page) => {
    await page.getByRole('dialog').getByRole('button', { name: 'Tambah perangkat' }).click();
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  },
  'drawer-error': async () => undefined,
  'dialog-delete': async () => undefined,
  'dialog-failed': async () => undefined,
};

const LIST_STATES = ['rows', 'chosen', 'loading', 'old'];

const SECTIONS = ['tokens', 'headers', 'marks', 'states', 'fields'];

async function open(page: Page, search = ''): Promise<void> {
  // Ages are counted from now.
  await page.clock.setFixedTime('2026-11-21T07:00:00Z');
  await page.goto(`/dev/components${search}`);
  await expect(page.getByRole('heading', { name: 'Components', includeHidden: true })).toBeAttached();
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

/** Whether it looks as in the picture that is kept of it. */
async function expectAsBefore(part: Locator, name: string): Promise<void> {
  const renew = 'If this is how it should look now: npm --prefix web-console run e2e -- components --update-snapshots';
  await expect.soft(part, renew).toHaveScreenshot(`${name}.png`);
}

test.use({ contextOptions: { reducedMotion: 'reduce' } });

for (const viewport of VIEWPORTS) {
  const { width } = viewport;
  test.describe(`${width}`, () => {
    test.use({ viewport });

    test('every part looks as it did', async ({ page }) => {
      const refused = refusals(page);
      await open(page);
      await page.getByRole('button', { name: 'Simpan, ditolak' }).click();
      await expect(page.getByRole('alert').filter({ hasText: 'Gagal menyimpan' })).toBeVisible();
      // The first wrong field has the focus then, and its caret blinks.
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await byDayAndNight(page, async (scheme) => {
        for (const section of SECTIONS) {
          await expectAsBefore(page.locator(`[data-section=${section}]`), `${section}-${width}-${scheme}`);
        }
      });
      await expectNoViolations(page);
      expect(refused).toEqual([]);
    });

    test('a list in every state', async ({ page }) => {
      const refused = refusals(page);
      for (const state of LIST_STATES) {
        await open(page, `?list=${state}`);
        const lists = page.locator('[data-section=lists]');
        await byDayAndNight(page, (scheme) => expectAsBefore(lists, `list-${state}-${width}-${scheme}`));
        if (!['loading', 'old'].includes(state)) await expectNoViolations(page, '[data-section=lists]');
      }
      expect(refused).toEqual([]);
    });

    test('what opens over it as well', async ({ page }) => {
      const refused = refusals(page);
      for (const [overlay, act] of Object.entries(OVERLAYS)) {
        await open(page, `?open=${overlay}`);
        const dialog = page.getByRole('dialog');
        await expect(dialog).toBeVisible();
        await act(page);
        await byDayAndNight(page, (scheme) => expectAsBefore(dialog, `${overlay}-${width}-${scheme}`));
        await expectNoViolations(page, '[role=dialog]');
      }
      expect(refused).toEqual([]);
    });

    test('toasts keep nobody out', async ({ page }) => {
      await open(page);
      // By keyboard: on a phone the first toast lies over the buttons.
      for (const kind of ['success', 'warning', 'error'])
        await page.getByRole('button', { name: `toast-${kind}` }).press('Enter');
      const toasts = page.getByRole('alert').filter({ hasText: /berhasil diperbarui|tidak cocok|Gagal menghapus/ });
      await expect(toasts).toHaveCount(3);
      await expectNoViolations(page, '.mantine-Notifications-root');
    });
  });
}
