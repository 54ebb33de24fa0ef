import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { showIn, VIEWPORTS } from './sizes';

/** What follows from colours; all other rules find the same by night. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const [DESK] = VIEWPORTS;
/** Rows beyond the tenth are like those before, and each takes as long. */
const MORE_ROWS = 'tbody tr:nth-child(n + 11)';

/**
 * Demands that nothing on the page, or inside of what is named, keeps anybody out: by day as wide as the page is, and by
 * night in the colours, which do not depend on the width.
 */
export async function expectNoViolations(page: Page, inside = 'html'): Promise<void> {
  await expect(page.locator(inside).locator('[aria-busy=true]')).toHaveCount(0);
  const isNarrow = (page.viewportSize()?.width ?? 0) < (DESK?.width ?? 0);
  for (const scheme of isNarrow ? (['light'] as const) : (['light', 'dark'] as const)) {
    await showIn(page, scheme);
    // A drawer that is still sliding has colours of its own.
    await page.evaluate(() =>
      Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null))),
    );
    // Without frames of others there is nothing to put together on a page of its own, which takes long.
    const axe = new AxeBuilder({ page }).include(inside).exclude(MORE_ROWS).setLegacyMode();
    const { violations } = await (scheme === 'light' ? axe : axe.withRules(COLOUR_RULES)).analyze();
    const found = violations.map(({ id, nodes }) => ({
      id,
      where: nodes.map((node) => `${node.target} ${node.failureSummary}`),
    }));
    expect(found, `${page.url()} (${scheme})`).toEqual([]);
  }
}

/** Collects what the content security policy refuses from now on. */
export function refusals(page: Page): string[] {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  return refused;
}
