import type { Page } from '@playwright/test';
import { enter, makeAdmin } from './accounts';
import { expect, test, type Fix } from './armada';
import { expectNoViolations } from './axe';
import { call, newFleet, ownerToken } from './fleet';
import { newImei } from './imei';
import { showIn } from './sizes';
import { connectionBar, signOut, vehicleRow } from './steps';

const TRUCK = { name: 'Truk Utara', imei: newImei(), vehicle_code: 'B 9123 KJA' };
const VAN = { name: 'Van Selatan', imei: newImei() };

const NORTH: Fix = { lat: -6.1, lng: 106.8, speed: 42, course: 90 };
const SOUTH: Fix = { lat: -6.3, lng: 106.8, speed: 0 };

const canvas = (page: Page) => page.locator('canvas[data-vehicles-drawn]');
const card = (page: Page) => page.getByTestId('vehicle-card');

const map = (page: Page) => page.getByRole('region', { name: 'Peta kendaraan' });
const back = (page: Page) => card(page).getByRole('button', { name: 'Kembali ke daftar' });

/** What the panel covers of the map. */
const PANEL_WIDTH = 384;
/** And that of a tool. */
const TOOL_PANEL = 372;
/** The map is this near when it has gone to a vehicle. */
const CLOSE_ZOOM = 13;

/** Degrees of latitude as pixels of the map, when it is near. */
const pixelsAt = (lat: number): number =>
  (Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) * 256 * 2 ** CLOSE_ZOOM) / (2 * Math.PI);

/** Where on the screen a vehicle is at a latitude, when the map has gone to `middle`: in the middle of what is free. */
async function placeOf(page: Page, middle: number, lat = middle): Promise<{ x: number; y: number }> {
  const box = await map(page).boundingBox();
  if (!box) throw new Error('no map is shown');
  const x = box.x + PANEL_WIDTH + (box.width - PANEL_WIDTH) / 2;
  return { x, y: box.y + box.height / 2 - (pixelsAt(lat) - pixelsAt(middle)) };
}

/** A vehicle is where it should be: somebody who points there is told its name. No hand holds the mouse still. */
async function expectAt(page: Page, name: string, { x, y }: { x: number; y: number }): Promise<void> {
  await expect(async () => {
    await page.mouse.move(x + 1, y);
    await page.mouse.move(x, y);
    await expect(page.getByRole('tooltip', { name })).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

test('vehicles on the map: list, popup, follow, filter, and a second tab', async ({ page, request, armada }) => {
  await test.step('a tenant with two vehicles', async () => {
    const { tenantId } = await newFleet(armada, 'Peta Jaya', [TRUCK, VAN]);
    await armada.publish(TRUCK.imei, NORTH);
    await armada.publish(VAN.imei, SOUTH);
    await enter(page, '/maps', await makeAdmin(request, armada, 'Rina', tenantId));
    await expect(connectionBar(page)).toHaveAttribute('data-state', 'connected');
    await expect(canvas(page)).toHaveAttribute('data-vehicles-drawn', '2');
    await expect(canvas(page)).toHaveAttribute('data-bubbles', '0');
  });

  await test.step('the list is searched, sorted and filtered', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('selatan');
    await expect(vehicleRow(page, VAN.name)).toBeVisible();
    await expect(vehicleRow(page, TRUCK.name)).toHaveCount(0);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: /^Bergerak/ }).click();
    await expect(vehicleRow(page, VAN.name)).toHaveCount(0);
    await expect(canvas(page)).toHaveAttribute('data-vehicles-drawn', '1');
    await page.getByRole('button', { name: /^Bergerak/ }).click();
    await expect(canvas(page)).toHaveAttribute('data-vehicles-drawn', '2');
    // What needs eyes stands first, unless somebody wants it otherwise.
    const first = page.getByRole('list', { name: 'Daftar kendaraan' }).getByRole('listitem').first();
    await expect(first).toContainText(TRUCK.name);
    await page.getByRole('button', { name: 'Urutkan' }).click();
    await page.getByRole('menuitemradio', { name: 'Nama' }).click();
    await expect(page).toHaveURL(/sort=name/);
    const plate = vehicleRow(page, TRUCK.name).getByText(TRUCK.vehicle_code);
    expect(await plate.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
  });

  await test.step('the list is walked through by keyboard', async () => {
    await expect(page.getByRole('menu')).toHaveCount(0);
    await page.keyboard.press('j');
    await expect(vehicleRow(page, TRUCK.name)).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(vehicleRow(page, VAN.name)).toBeFocused();
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await expect(card(page).getByRole('heading', { name: TRUCK.name })).toBeVisible();
  });

  await test.step('Escape leads back to the row, and a vehicle is pointed at and clicked on the canvas', async () => {
    await expect(card(page)).toHaveAttribute('data-lat', '-6.1');
    await expect(back(page)).toBeFocused();
    // Not before the map has gone there, where the other one is out of sight, and come to rest: a click while it moves means
    // another place.
    await expect(canvas(page)).toHaveAttribute('data-vehicles-drawn', '1');
    await page.keyboard.press('Escape');
    await expect(card(page)).toHaveCount(0);
    await expect(vehicleRow(page, TRUCK.name)).toBeFocused();
    const place = await placeOf(page, NORTH.lat);
    await expectAt(page, TRUCK.name, place);
    await page.mouse.click(place.x, place.y);
    await expect(card(page)).toHaveAttribute('data-lat', '-6.1');
  });

  await test.step('it glides to where it reports from, and is clicked there beside its card', async () => {
    await armada.move(TRUCK.imei, { ...NORTH, lat: -6.096 });
    await expect(card(page)).toHaveAttribute('data-lat', '-6.096');
    const now = await placeOf(page, NORTH.lat, -6.096);
    await expectAt(page, TRUCK.name, now);
    await page.keyboard.press('Escape');
    await expect(card(page)).toHaveCount(0);
    // Farther from where it was than a click may miss by.
    await page.mouse.click(now.x, now.y);
    await expect(card(page)).toHaveAttribute('data-lat', '-6.096');
  });

  await test.step('the map goes to where it has been today, beside the card', async () => {
    await card(page).getByRole('button', { name: 'Ikuti', exact: true }).click();
    await card(page).getByRole('button', { name: 'Jejak hari ini' }).click();
    await expect(card(page).getByRole('button', { name: 'Ikuti', exact: true })).toBeVisible();
    const trail = map(page).locator('.leaflet-overlay-pane path');
    const panel = await page.getByRole('region', { name: 'Kendaraan', exact: true }).boundingBox();
    const free = await map(page).boundingBox();
    if (!panel || !free) throw new Error('no map is shown');
    await expect
      .poll(async () => {
        const box = await trail.boundingBox();
        if (!box) return 'no trail';
        const inSight = box.x > panel.x + panel.width && box.x + box.width < free.x + free.width;
        // As near as it gets, 400 m are so long.
        const high = box.height > 150 && box.y > free.y && box.y + box.height < free.y + free.height;
        return inSight && high;
      })
      .toBe(true);
    await expectNoViolations(page, '[data-testid=vehicle-card]');
    await card(page).getByRole('button', { name: 'Jejak hari ini' }).click();
  });

  await test.step('the map follows it until it is dragged', async () => {
    await card(page).getByRole('button', { name: 'Ikuti', exact: true }).click();
    const following = card(page).getByRole('button', { name: 'Mengikuti' });
    await expect(following).toHaveAttribute('aria-pressed', 'true');
    // Farther than is glided: the vehicle is somewhere else at once, and would be out of sight.
    await armada.move(TRUCK.imei, { ...NORTH, lat: -6.9 });
    await expect(card(page)).toHaveAttribute('data-lat', '-6.9');
    await expectAt(page, TRUCK.name, await placeOf(page, -6.9));
    await page.mouse.move(900, 680);
    await page.mouse.down();
    await page.mouse.move(960, 560, { steps: 5 });
    await page.mouse.up();
    await expect(card(page).getByRole('button', { name: 'Ikuti', exact: true })).toHaveAttribute(
      'aria-pressed',
      'false',
    );
  });

  await test.step('a second tab shows the same, and hears that the first signed out', async () => {
    const second = await page.context().newPage();
    await second.goto(page.url());
    await expect(card(second)).toHaveAttribute('data-lat', '-6.9');
    await armada.move(TRUCK.imei, { ...NORTH, lat: -6.901 });
    for (const each of [page, second]) await expect(card(each)).toHaveAttribute('data-lat', '-6.901');
    await signOut(page);
    await expect(second.getByRole('heading', { name: 'Masuk' })).toBeVisible();
    await second.close();
  });
});

test("the map's tools, and what can be done with a vehicle over the map", async ({ page, request, armada }) => {
  const near = { name: 'Truk Dekat', imei: newImei() };
  const far = { name: 'Truk Jauh', imei: newImei() };
  const { tenantId } = await newFleet(armada, 'Alat Jaya', [near, far]);
  await armada.publish(near.imei, { ...NORTH, speed: 0 });
  await armada.publish(far.imei, { ...SOUTH, lat: -7.3, lng: 112.7 });
  await enter(page, '/maps', await makeAdmin(request, armada, 'Alya', tenantId));
  await expect(canvas(page)).toHaveAttribute('data-vehicles-drawn', '2');
  const tools = page.getByRole('toolbar', { name: 'Fitur peta' });
  const panel = page.getByTestId('tool-panel');

  await test.step('a search narrows the map as well', async () => {
    await page.getByRole('searchbox').fill('dekat');
    await expect(canvas(page)).toHaveAttribute('data-vehicles-drawn', '1');
    await page.getByRole('searchbox').fill('');
    await expect(canvas(page)).toHaveAttribute('data-vehicles-drawn', '2');
  });

  await test.step('two clicks measure a distance, and select nothing', async () => {
    await tools.getByRole('button', { name: 'Ukur jarak' }).click();
    await page.mouse.click(720, 700);
    await page.mouse.click(1_000, 700);
    await expect(panel).toContainText(/\d km garis lurus melalui 2 titik/);
    await expect(page.getByRole('tooltip')).toContainText('km');
    await expect(card(page)).toHaveCount(0);
    await expectNoViolations(page, '[data-testid=tool-panel]');
    await page.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
  });

  await test.step('the nearest vehicle to a place is found and selected by keyboard', async () => {
    await tools.getByRole('button', { name: 'Kendaraan terdekat' }).click();
    await panel.getByLabel('Tempat').fill('-6.2, 106.8');
    await page.keyboard.press('Enter');
    const first = panel.getByRole('listitem').first();
    await expect(first).toContainText(/Truk Dekat.*11,1 km.*utara/);
    await expectNoViolations(page, '[data-testid=tool-panel]');
    await first.getByRole('button').press('Enter');
    await expect(card(page).getByRole('heading', { name: near.name })).toBeInViewport();
    await panel.getByRole('button', { name: 'Tutup' }).click();
  });

  await test.step('zooming keeps the vehicle where it is', async () => {
    // The map has gone there while the tool's panel covered a part of it.
    const { x, y } = await placeOf(page, NORTH.lat);
    const place = { x: x - TOOL_PANEL / 2, y };
    await expectAt(page, near.name, place);
    for (const name of ['Perbesar', 'Perbesar', 'Perkecil']) await tools.getByRole('button', { name }).click();
    await expectAt(page, near.name, place);
  });

  await test.step('its device opens over the map, and Escape leads back step by step', async () => {
    await card(page)
      .getByRole('button', { name: `Tindakan lain untuk ${near.name}` })
      .click();
    await page.getByRole('menuitem', { name: 'Buka perangkat' }).click();
    const drawer = page.getByRole('dialog', { name: near.name });
    await expect(drawer.getByRole('tab', { name: 'Sekarang' })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Escape');
    await expect(drawer).toHaveCount(0);
    await expect(card(page).getByRole('button', { name: `Tindakan lain untuk ${near.name}` })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(card(page)).toHaveCount(0);
  });

  await test.step('the map fills the screen, and gives it back', async () => {
    const full = tools.getByRole('button', { name: 'Layar penuh' });
    await full.click();
    await expect.poll(async () => (await map(page).boundingBox())?.x).toBe(0);
    await full.click();
    await expect.poll(async () => (await map(page).boundingBox())?.x).toBeGreaterThan(0);
  });

  await test.step('a view of the map is kept under a name, and leads back to it', async () => {
    const views = tools.getByRole('button', { name: /^Tampilan/ });
    await page.getByRole('button', { name: /^Parkir/ }).click();
    await expect(page).toHaveURL(/states=parked/);
    await views.click();
    await page.getByRole('menuitem', { name: 'Simpan tampilan ini' }).click();
    await page.getByLabel('Nama tampilan').fill('Yang parkir');
    await page.getByRole('button', { name: 'Simpan', exact: true }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.goto('/maps');
    await expect(canvas(page)).toHaveAttribute('data-vehicles-drawn', '2');
    await views.click();
    await page.getByRole('menuitem', { name: 'Yang parkir' }).click();
    await expect(page).toHaveURL(/area=.*states=parked|states=parked.*area=/);
  });

  await test.step('names are hidden, and stay so after a reload', async () => {
    await tools.getByRole('button', { name: 'Lapisan peta' }).click();
    await page.getByRole('switch', { name: 'Nama kendaraan' }).uncheck();
    await page.reload();
    await tools.getByRole('button', { name: 'Lapisan peta' }).click();
    await expect(page.getByRole('switch', { name: 'Nama kendaraan' })).not.toBeChecked();
  });
});

test('groups of vehicles, several of them chosen, and the map on paper', async ({ page, request, armada }) => {
  const [one, two, three] = [
    { name: 'Truk Bandung', imei: newImei() },
    { name: 'Truk Jawa', imei: newImei() },
    { name: 'Truk Lepas', imei: newImei() },
  ];
  const { tenantId, devices } = await newFleet(armada, 'Grup Jaya', [one, two, three]);
  const token = await ownerToken(armada);
  const group = async (name: string, parentId?: string) => {
    const body = { kind: 'device_group', name, tenant_id: tenantId, ...(parentId && { parent_id: parentId }) };
    return (await call<{ id: string }>(armada, 'POST', '/api/v1/master-data', body, token)).id;
  };
  const java = await group('Jawa');
  const bandung = await group('Bandung', java);
  for (const [place, groups] of [bandung, java].entries()) {
    await call(armada, 'PUT', `/api/v1/devices/${devices[place]?.id}`, { group_ids: groups }, token);
  }
  await armada.publish(one.imei, NORTH);
  await armada.publish(two.imei, SOUTH);
  await armada.publish(three.imei, { ...SOUTH, lat: -6.5 });
  await enter(page, '/maps', await makeAdmin(request, armada, 'Rina', tenantId));
  await expect(canvas(page)).toHaveAttribute('data-vehicles-drawn', '3');
  const list = page.getByRole('list', { name: 'Daftar kendaraan' });
  const bar = page.getByTestId('chosen-bar');

  await test.step('the list stands by groups, which count and open', async () => {
    await page.getByRole('button', { name: 'Grup', exact: true }).click();
    await page.getByRole('switch', { name: 'Susun daftar menurut grup' }).click();
    await page.keyboard.press('Escape');
    const head = list.getByRole('button', { name: /^Jawa, 2, Bergerak 1/ });
    await expect(head).toHaveAttribute('aria-expanded', 'false');
    await expect(list.getByRole('button', { name: /^Tanpa grup, 1/ })).toBeVisible();
    await head.click();
    await expect(vehicleRow(page, two.name)).toBeVisible();
    await list.getByRole('button', { name: /^Bandung, 1/ }).press('ArrowRight');
    await expect(vehicleRow(page, one.name)).toBeVisible();
    await expectNoViolations(page, '[data-index]');
  });

  await test.step('a group narrows list and map, and stays so after a reload', async () => {
    await page.getByRole('button', { name: 'Grup', exact: true }).click();
    await page.getByRole('combobox', { name: 'Hanya kendaraan dalam grup ini' }).click();
    await page.getByRole('option', { name: 'Jawa', exact: true }).click();
    await expect(canvas(page)).toHaveAttribute('data-vehicles-drawn', '2');
    await page.reload();
    await expect(page.getByText('Grup: Jawa')).toBeVisible();
    await expect(canvas(page)).toHaveAttribute('data-vehicles-drawn', '2');
    await page.goto('/maps');
  });

  await test.step('several are chosen with keys, and the map says how many', async () => {
    await vehicleRow(page, one.name).click();
    await expect(card(page).getByRole('heading', { name: one.name })).toBeVisible();
    await back(page).click();
    await vehicleRow(page, three.name).click({ modifiers: ['Shift'] });
    await expect(bar).toContainText('3 kendaraan dipilih');
    await expect(card(page)).toHaveCount(0);
    await vehicleRow(page, two.name).focus();
    await page.keyboard.press('Space');
    await expect(bar).toContainText('2 kendaraan dipilih');
    await expect(page).toHaveURL(/device_id=[0-9a-f-]{36}%2C[0-9a-f-]{36}(&|$)/);
    await bar.getByRole('button', { name: 'Ikuti semua' }).click();
    await expect(bar.getByRole('button', { name: 'Ikuti semua' })).toHaveAttribute('aria-pressed', 'true');
    await expectNoViolations(page, '[data-testid=chosen-bar]');
  });

  await test.step('the map is printed alone, in the colours of the day, with what is known of the chosen ones', async () => {
    await showIn(page, 'dark');
    const printed = page.evaluate(() => new Promise<void>((resolve) => (window.print = resolve)));
    await page.getByRole('button', { name: 'Cetak' }).click();
    await printed;
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(page.locator('[data-paper=head]')).toContainText('Grup Jaya');
    const table = page.getByRole('table', { name: 'Kendaraan terpilih' });
    await expect(table.getByRole('row')).toHaveCount(3);
    await expect(table).toContainText(one.name);
    await expect(page.locator('.leaflet-control-scale')).toBeVisible();
    await expect(page.locator('.leaflet-control-attribution')).toBeVisible();
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(bar).toBeHidden();
    expect((await map(page).boundingBox())?.height).toBeGreaterThan(400);
    const ink = await table.evaluate((element) => getComputedStyle(element).color);
    expect(ink).toBe('rgb(23, 32, 38)');
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await expect(bar).toBeVisible();
    await expect(table).toHaveCount(0);
  });

  await test.step('what happened to them is one step away', async () => {
    await bar.getByRole('link', { name: 'Riwayat' }).click();
    await expect(page).toHaveURL(/\/playback\?device_id=[0-9a-f-]{36}&device_id=[0-9a-f-]{36}(&|$)/);
  });
});

test('a device that nobody shows to this person is said to be gone, and the others are shown', async ({
  page,
  request,
  armada,
}) => {
  const { tenantId } = await newFleet(armada, 'Peta Sisa', [{ ...VAN, imei: newImei() }]);
  await enter(page, '/maps', await makeAdmin(request, armada, 'Rina', tenantId));
  await page.goto('/maps?device_id=01900000-0000-7000-8000-000000000000');
  await expect(card(page).getByRole('heading', { name: 'Kendaraan tidak ditemukan' })).toBeVisible();
  await expect(card(page).getByText('Kendaraan ini tidak ada')).toBeVisible();
  await back(page).click();
  await expect(vehicleRow(page, VAN.name)).toBeVisible();
});
