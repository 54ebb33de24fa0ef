import type { Page } from '@playwright/test';
import { SCREEN_PATHS } from '../src/app/paths';
import { expect, test } from './armada';
import { newFleet, trucks } from './fleet';
import { signIn, visit } from './steps';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

/** What can be pressed and is smaller than a finger, with what surrounds it and belongs to it; links inside of text may be. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const least = 44;
    const shown = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const size = (element: Element) => {
      const { width, height } = element.getBoundingClientRect();
      return [width, height] as const;
    };
    return [
      ...document.querySelectorAll(
        'button, a[href], input, select, textarea, [role=tab], [role=button], [role=option]',
      ),
    ]
      .filter(
        (element) =>
          shown(element) &&
          !element.closest(
            '[aria-hidden=true], [inert], p, td, .visually-hidden, .leaflet-control-attribution, [href="#content"]',
          ),
      )
      .flatMap((element) => {
        // A field is what is drawn around it.
        const [width, height] = size(element.closest('.mantine-Input-input') ?? element);
        if (width <= 1 || height <= 1) return [];
        const around = ['::after', '::before']
          .map((part) => getComputedStyle(element, part))
          .map((style) =>
            style.content === 'none' || style.position !== 'absolute'
              ? 0
              : Math.min(parseFloat(style.width), parseFloat(style.height)) || 0,
          );
        const label =
          element instanceof HTMLInputElement ? [...(element.labels ?? [])].map((each) => size(each)[1]) : [];
        const reach = Math.max(Math.min(width, height), ...around, ...label);
        if (reach >= least - 0.5) return [];
        const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
        return [
          `${element.tagName.toLowerCase()}.${element.className.toString().split(' ')[0]} "${name.slice(0, 30)}" ${Math.round(width)}×${Math.round(height)}`,
        ];
      });
  });

test('everything is large enough for a finger on a phone', async ({ page, armada }) => {
  await newFleet(armada, 'Jari Jaya', trucks(3));
  await page.goto('/auth/login');
  await expect(page.getByRole('heading', { name: 'Masuk' })).toBeVisible();
  expect.soft(await tooSmall(page), 'the sign-in page').toEqual([]);
  await signIn(page);
  const drawers = ['/devices?open=new', '/users?open=new', '/tenants?open=new', '/roles?open=new'];
  for (const path of [...SCREEN_PATHS.filter((path) => path !== '/maps'), '/maps', ...drawers]) {
    await visit(page, path);
    if (drawers.includes(path)) await expect(page.getByRole('dialog').first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect.soft(await tooSmall(page), path).toEqual([]);
  }
});

test('a list on a phone begins high, and keeps what is asked for seldom behind one button', async ({
  page,
  armada,
}) => {
  await newFleet(armada, 'Jempol Jaya', trucks(3));
  await signIn(page, '/devices');
  const first = page.getByRole('button', { name: 'Truk 001' }).first();
  await expect(first).toBeVisible();
  // Below the header and whatever is announced there: both places are read at once, since an announcement may come.
  const highest = page.getByRole('button', { name: /(Tanpa data|Bergerak|Parkir|Idle)/ }).first();
  const below = await highest.evaluate(
    (row) => row.getBoundingClientRect().y - (document.querySelector('main')?.getBoundingClientRect().y ?? 0),
  );
  expect(below).toBeLessThanOrEqual(184);
  const files = page.getByRole('button', { name: 'Ekspor' });
  await expect(files).toBeHidden();
  await page.getByRole('button', { name: 'Tindakan lain' }).click();
  await expect(files).toBeVisible();
  // A long press chooses a row, and then each has its box.
  const boxes = page.getByRole('checkbox', { name: 'Pilih Truk 001' });
  await first.hover();
  await page.mouse.down();
  await expect(boxes.first()).toBeChecked({ timeout: 5_000 });
  await page.mouse.up();
  await expect(boxes.first()).toBeChecked();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await boxes.last().check();
  // The words of the button are not seen, but told.
  expect((await page.getByRole('button', { name: 'Tambah perangkat' }).boundingBox())?.width).toBe(44);
});
