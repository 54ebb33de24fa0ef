import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import axe from 'axe-core';
import { showIn, VIEWPORTS } from './sizes';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

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
    // A drawer that is still sliding has colours of its own. What turns for ever, such as a bar of progress, never ends.
    await page.evaluate(async () => {
      const ending = document
        .getAnimations()
        .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime));
      await Promise.all(ending.map((animation) => animation.finished.catch(() => null)));
    });
    const found = await violations(page, inside, scheme === 'light' ? undefined : COLOUR_RULES);
    expect(found, `${page.url()} (${scheme})`).toEqual([]);
  }
}

/**
 * What axe finds against a part of the page: all of its rules that are on, or those that are named. It is put into a page
 * once, and hands out nothing but what is wrong: to write down all that is right takes longer than to look.
 */
async function violations(page: Page, inside: string, rules?: string[]) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ inside, exclude, rules }) => {
      const { violations } = await window.axe.run(
        { include: [inside], exclude: [exclude] },
        { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) },
      );
      return violations.map(({ id, nodes }) => ({
        id,
        where: nodes.map((node) => `${String(node.target)} ${node.failureSummary ?? ''}`),
      }));
    },
    { inside, exclude: MORE_ROWS, rules },
  );
}

/** Collects what the content security policy refuses from now on. */
export function refusals(page: Page): string[] {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  return refused;
}
