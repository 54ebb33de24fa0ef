import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { byDayAndNight } from './sizes';

/** Demands that nothing on the page, or inside of what is named, keeps anybody out, by day and by night. */
export async function expectNoViolations(page: Page, inside = 'html'): Promise<void> {
  await expect(page.locator(inside).locator('[aria-busy=true]')).toHaveCount(0);
  await byDayAndNight(page, async (scheme) => {
    // A drawer that is still sliding has colours of its own.
    await page.evaluate(() =>
      Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null))),
    );
    // Without frames of others there is nothing to put together on a page of its own, which takes long.
    const { violations } = await new AxeBuilder({ page }).include(inside).setLegacyMode().analyze();
    const found = violations.map(({ id, nodes }) => ({
      id,
      where: nodes.map((node) => `${node.target} ${node.failureSummary}`),
    }));
    expect(found, `${page.url()} (${scheme})`).toEqual([]);
  });
}

/** Collects what the content security policy refuses from now on. */
export function refusals(page: Page): string[] {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  return refused;
}
