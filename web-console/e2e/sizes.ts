import { expect, type Page } from '@playwright/test';

/** The console is looked at as wide as a desk and as narrow as a phone. */
export const VIEWPORTS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

/** Shows the page by day or by night. */
export async function showIn(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
}

/** Looks at what is on the screen by day and by night. */
export async function byDayAndNight(page: Page, look: (scheme: 'light' | 'dark') => Promise<void>): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await showIn(page, scheme);
    await look(scheme);
  }
}
