import type { Page } from '@playwright/test';
import { expectNoViolations, refusals } from './axe';
import { expect, test } from './componentPage';
import { LOOKS, nameOf } from './sizes';

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

const SECTIONS = ['tokens', 'headers', 'marks', 'states', 'fields'];

async function open(page: Page, search = ''): Promise<void> {
  // Ages are counted from now.
  await page.clock.setFixedTime('2026-11-21T07:00:00Z');
  await page.goto(`/dev/components${search}`);
  await expect(page.getByRole('heading', { name: 'Components', includeHidden: true })).toBeAttached();
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

for (const look of LOOKS) {
  const name = nameOf(look);
  test.describe(name, () => {
    test.use({ ...look, contextOptions: { reducedMotion: 'reduce' } });

    test('every part looks as it did', async ({ page }) => {
      const refused = refusals(page);
      await open(page);
      await page.getByRole('button', { name: 'Simpan, ditolak' }).click();
      await expect(page.getByRole('alert').filter({ hasText: 'Gagal menyimpan' })).toBeVisible();
      // The first wrong field has the focus then, and its caret blinks.
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      for (const section of SECTIONS) {
        await expect.soft(page.locator(`[data-section=${section}]`)).toHaveScreenshot(`${section}-${name}.png`);
      }
      await expectNoViolations(page);
      expect(refused).toEqual([]);
    });

    test('what opens over it as well', async ({ page }) => {
      const refused = refusals(page);
      for (const [overlay, act] of Object.entries(OVERLAYS)) {
        await open(page, `?open=${overlay}`);
        await expect(page.getByRole('dialog')).toBeVisible();
        await act(page);
        await expect.soft(page.getByRole('dialog')).toHaveScreenshot(`${overlay}-${name}.png`);
        await expectNoViolations(page);
      }
      expect(refused).toEqual([]);
    });

    test('toasts keep nobody out', async ({ page }) => {
      await open(page);
      // By keyboard: on a phone the first toast lies over the buttons.
      for (const kind of ['success', 'warning', 'error']) await page.getByRole('button', { name: `toast-${kind}` }).press('Enter');
      const toasts = page.getByRole('alert').filter({ hasText: /berhasil diperbarui|tidak cocok|Gagal menghapus/ });
      await expect(toasts).toHaveCount(3);
      await expectNoViolations(page);
    });
  });
}
