import type { Page } from '@playwright/test';
import { enter } from './accounts';
import { test as base, expect } from './armada';
import { expectNoViolations, refusals } from './axe';
import { landFile, pictureFile, pixel } from './pmtiles';
import { showIn } from './sizes';
import { TileServer } from './tileServer';

const STREETS = 'Jalan Uji';
const FILE = 'Kepulauan';
const SHAPES = 'Daratan';
/** Land in the colours of Protomaps. */
const LAND = { light: [226, 223, 218], dark: [31, 31, 31] };
const GREEN = [32, 144, 64] as const;

/** As services/bff/src/config/maps.rs has it: a source of tiles. Files lie in `maps` of the data folder. */
const settings = (template: string) => `[[bff.maps.sources]]
id = "jalan"
name = "${STREETS}"
url = "${template}"
attribution = "© Peta Uji"
`;

/** Armada with a street map whose server is this test's. */
const test = base.extend<object, { tiles: TileServer }>({
  tiles: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const tiles = await TileServer.open(pixel(200, 200, 220));
      await use(tiles);
      tiles.close();
    },
    { scope: 'worker' },
  ],
  config: [async ({ tiles }, use) => use(settings(tiles.template)), { scope: 'worker' }],
});

/** Tiles of a server. */
const pictures = (page: Page) => page.locator('img.leaflet-tile-loaded');
/** Tiles of the file, in which each is one pixel; those of the bundled map are larger. */
const painted = (page: Page) => page.locator('canvas.leaflet-tile-loaded[width="1"]');
const sketched = (page: Page) => page.locator('canvas.leaflet-tile-loaded:not([width="1"])');
/** The colours in the middle of what is drawn. */
const colours = (page: Page): Promise<string[]> =>
  page.locator('canvas.leaflet-tile').evaluateAll((tiles) =>
    tiles.map((tile) => {
      const { width, height } = tile as HTMLCanvasElement;
      const middle = (tile as HTMLCanvasElement).getContext('2d')?.getImageData(width / 2, height / 2, 1, 1).data;
      return [...(middle ?? [])].slice(0, 3).join();
    }),
  );
const attribution = (page: Page) => page.locator('.leaflet-control-attribution');
const layers = (page: Page) => page.getByRole('button', { name: 'Lapisan peta' });

async function choose(page: Page, name: string): Promise<void> {
  await layers(page).click();
  await page.getByRole('radio', { name, exact: true }).check();
  await page.getByRole('button', { name: 'Terapkan' }).click();
  await expect(page.getByRole('radio')).toHaveCount(0);
}

test('streets lie below the vehicles, from a server and from a file', async ({ page, armada, tiles }) => {
  const refused = refusals(page);
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(armada.url)) elsewhere.push(request.url());
  });
  await armada.put(`maps/${FILE}.pmtiles`, pictureFile(pixel(...GREEN), 7, '© Berkas Uji'));
  await armada.put(`maps/${SHAPES}.pmtiles`, landFile(7));
  await armada.put('maps/Rusak.pmtiles', Buffer.from('no map'));
  await enter(page, '/maps');

  await test.step('nobody chose anything: the operator has streets, and the browser asks Armada alone', async () => {
    await expect.poll(() => pictures(page).count()).toBeGreaterThan(3);
    expect(await pictures(page).first().getAttribute('src')).toMatch(
      /^\/api\/v1\/map-sources\/jalan\/\d+\/\d+\/\d+\?until=\d+&signature=\w+$/,
    );
    expect(tiles.asked[0]).toMatch(/^\/\d+\/\d+\/\d+\.png$/);
    expect(elsewhere).toEqual([]);
    await expect(attribution(page)).toHaveText('© Peta Uji');
    await expect(page.locator('.leaflet-control-scale')).toHaveText(/^\d+ k?m$/);
  });

  await test.step('a file that is none says so, and cannot be chosen', async () => {
    await layers(page).click();
    await expect(page.getByRole('radio', { name: STREETS })).toBeChecked();
    await expect(page.getByRole('radio', { name: 'Rusak' })).toBeDisabled();
    await expect(page.getByText('berkas, 6 B · Bukan berkas PMTiles')).toBeVisible();
    await expectNoViolations(page, '[role=dialog]');
    await page.keyboard.press('Escape');
  });

  await test.step('a file is chosen; beyond it lies the bundled map', async () => {
    await choose(page, FILE);
    await expect.poll(() => painted(page).count()).toBeGreaterThan(0);
    const colour = await painted(page)
      .first()
      .evaluate((tile: HTMLCanvasElement) => [...(tile.getContext('2d')?.getImageData(0, 0, 1, 1).data ?? [])]);
    expect(colour).toEqual([...GREEN, 255]);
    await expect(sketched(page).first()).toBeAttached();
    await expect(attribution(page)).toContainText('© Berkas Uji');
  });

  await test.step('shapes of a file are drawn, by day and by night', async () => {
    await choose(page, SHAPES);
    for (const scheme of ['light', 'dark'] as const) {
      await showIn(page, scheme);
      await expect.poll(() => colours(page)).toContain(LAND[scheme].join());
    }
    await showIn(page, 'light');
    await expect(attribution(page)).toContainText('© OpenStreetMap');
  });

  await test.step('who wants the bundled map keeps it', async () => {
    await choose(page, 'Peta skema');
    await page.reload();
    await expect(sketched(page).first()).toBeAttached();
    await expect(painted(page)).toHaveCount(0);
    await expect(pictures(page)).toHaveCount(0);
  });

  await test.step('the server is gone: it is said, and the bundled map is there', async () => {
    await choose(page, STREETS);
    await expect.poll(() => pictures(page).count()).toBeGreaterThan(3);
    await expect(sketched(page)).toHaveCount(0);
    tiles.close();
    // Where nobody has looked before, so that no cache has it.
    for (let zoom = 0; zoom < 3; zoom += 1) await page.getByRole('button', { name: 'Perbesar' }).click();
    await expect(page.getByText('Peta jalan tidak dapat dimuat', { exact: false })).toBeVisible();
    await expect(sketched(page).first()).toBeAttached();
  });
  expect(refused).toEqual([]);
});
