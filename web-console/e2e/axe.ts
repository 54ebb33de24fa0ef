import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** Demands that nothing on the page keeps anybody out. */
export async function expectNoViolations(page: Page): Promise<void> {
  // A drawer that is still sliding has colours of its own.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null))));
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map((node) => `${node.target} ${node.failureSummary}`) }));
  expect(found).toEqual([]);
}

/** Collects what the content security policy refuses from now on. */
export function refusals(page: Page): string[] {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  return refused;
}
