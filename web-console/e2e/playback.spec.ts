import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { enter, makeAdmin } from './accounts';
import { expect, test, type Fix } from './armada';
import { expectNoViolations } from './axe';
import { call, newFleet, ownerToken } from './fleet';
import { newImei } from './imei';

const TRUCK = { name: 'Truk Riwayat', imei: newImei() };
const VAN = { name: 'Van Riwayat', imei: newImei() };
const MINUTE = 60_000;

/** A fix every ten seconds since `start`: ten minutes on the road, ten beside it, ten on the road. */
const drive = (start: number): Fix[] =>
  Array.from({ length: 180 }, (_, index) => {
    const stands = index >= 60 && index < 120;
    const way = index < 60 ? index : Math.max(60, index - 60);
    return {
      recorded_at: new Date(start + index * 10_000).toISOString(),
      lat: -6.2 - 0.0009 * way,
      lng: 106.8,
      speed: stands ? 0 : 36,
      course: 180,
      ignition: !stands,
      fuel_percent: 80 - index / 60,
    };
  });

const segments = (page: Page) => page.getByRole('tabpanel', { name: 'Perjalanan' }).getByRole('button');
const time = (page: Page) => page.getByTestId('playback-time');

test('a day of a vehicle is looked through and played', async ({ page, request, armada }) => {
  const { tenantId, devices } = await newFleet(armada, 'Riwayat Jaya', [TRUCK, VAN]);
  const [truck = { id: '' }] = devices;
  // Within a day, whenever the test runs: thirty minutes that are over, of yesterday where today is too young.
  const start = Date.now() - 45 * MINUTE;
  const day = (at: number) => new Date(at + 7 * 60 * MINUTE).toISOString().slice(0, 10);
  const days = [...new Set([day(start), day(Date.now())])].join('_');
  await armada.publish(TRUCK.imei, ...drive(start));
  await armada.publish(VAN.imei, ...drive(start).slice(0, 30));
  await enter(page, '/playback', await makeAdmin(request, armada, 'Rina', tenantId));

  await test.step('nothing is chosen yet', async () => {
    await expect(page.getByRole('heading', { name: 'Pilih kendaraan' })).toBeVisible();
    await expectNoViolations(page);
  });

  await test.step('a vehicle shows its trips and stops', async () => {
    await page.goto(`/playback?device_id=${truck.id}&from=${day(start)}&to=${day(Date.now())}`);
    await expect(segments(page)).toHaveCount(3);
    await expect(segments(page).nth(0)).toContainText('36 km/jam');
    await expect(segments(page).nth(1)).toContainText('Berhenti');
    await expect(page.getByTestId('track-canvas')).not.toHaveAttribute('data-points', '0');
    await expect(page.getByTestId('track-chart').locator('canvas')).toBeVisible();
    await expectNoViolations(page);
  });

  await test.step('a stop is chosen, and its fix says everything', async () => {
    await segments(page).nth(1).click();
    await expect(segments(page).nth(1)).toHaveAttribute('aria-current', 'true');
    await page.getByRole('tab', { name: 'Titik' }).click();
    await expect(page.getByText('OFF', { exact: true }).first()).toBeVisible();
    await expect(page).toHaveURL(/[?&]at=/);
    const shown = await time(page).getAttribute('datetime');
    await page.reload();
    await expect(time(page)).toHaveAttribute('datetime', shown ?? '');
  });

  await test.step('it is played to its end, the stop passed over', async () => {
    await page.getByRole('combobox', { name: 'Laju pemutaran' }).click();
    await page.getByRole('option', { name: '×300' }).click();
    await page.getByRole('slider', { name: 'Waktu' }).press('Home');
    await page.getByRole('button', { name: 'Putar', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Jeda' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Putar', exact: true })).toBeVisible();
    const end = new Date(start + 179 * 10_000).toISOString();
    await expect(time(page)).toHaveAttribute('datetime', end);
  });

  await test.step('the track is saved as a file', async () => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Ekspor' }).click();
    await page.getByRole('menuitem', { name: 'GPX' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`${TRUCK.name}-${days}.gpx`);
    expect((await readFile(await file.path(), 'utf8')).match(/<trkpt /g)).toHaveLength(180);
  });

  await test.step('a second vehicle is beside it', async () => {
    await page.getByRole('combobox', { name: 'Kendaraan' }).fill('Van');
    await page.getByRole('option', { name: VAN.name }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('list', { name: 'Arti warna' }).getByText(VAN.name)).toBeVisible();
    for (const { name } of [TRUCK, VAN]) await expect(page.getByRole('checkbox', { name })).toBeChecked();
    await expect(page.getByTestId('track-chart').locator('canvas')).toBeVisible();
    await page.getByRole('combobox', { name: 'Rincian kendaraan' }).click();
    await page.getByRole('option', { name: VAN.name }).click();
    await page.getByRole('tab', { name: 'Perjalanan' }).click();
    await expect(segments(page)).toHaveCount(1);
  });

  await test.step('of several days each has a heading and its trips, whenever its fixes came', async () => {
    const before = start - 24 * 60 * MINUTE;
    await armada.publish(TRUCK.imei, ...drive(before));
    const span = `from=${new Date(before).toISOString()}&to=${new Date(start).toISOString()}`;
    const kept = `/api/v1/devices/${truck.id}/track/segments?${span}`;
    const token = await ownerToken(armada);
    await expect
      .poll(async () => (await call<{ items: unknown[] }>(armada, 'GET', kept, undefined, token)).items)
      // Of the time from the last of them up to the end nothing is known.
      .toHaveLength(4);
    await page.goto(`/playback?device_id=${truck.id}&from=${day(before)}&to=${day(Date.now())}`);
    await expect(page.getByRole('heading', { level: 2 }).nth(1)).toBeVisible();
    // Three of each day, and between them a time of which nothing is known.
    await expect(segments(page)).toHaveCount(7);
    await expectNoViolations(page);
  });
});
