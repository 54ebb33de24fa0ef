import type { Page } from '@playwright/test';
import { enter, makeAdmin } from './accounts';
import { expect, test, type Fix } from './armada';
import { expectNoViolations } from './axe';
import { call, newFleet, ownerToken } from './fleet';
import { newImei } from './imei';
import { showIn } from './sizes';
import { connectionBar, signIn, signOut, vehicleRow } from './steps';

const TRUCK = { name: 'Truk Utara', imei: newImei() };
const VAN = { name: 'Van Selatan', imei: newImei() };

const NORTH: Fix = { lat: -6.1, lng: 106.8, speed: 42, course: 90 };
const SOUTH: Fix = { lat: -6.3, lng: 106.8, speed: 0 };

const canvas = (page: Page) => page.locator('canvas[data-vehicles-drawn]');
const card = (page: Page) => page.getByTestId('vehicle-card');

/** Where on the screen the vehicle is that a card belongs to: below the card's beak. */
async function vehiclePlace(page: Page): Promise<{ x: number; y: number }> {
  const box = await card(page).boundingBox();
  if (!box) throw new Error('no card is shown');
  return { x: box.x + box.width / 2, y: box.y + box.height + 24 };
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
    await page.getByRole('button', { name: 'Urutkan' }).click();
    await page.getByRole('menuitemradio', { name: 'Keadaan' }).click();
    await expect(page.getByRole('list', { name: 'Daftar kendaraan' }).getByRole('listitem').first()).toContainText(
      TRUCK.name,
    );
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

  await test.step('a vehicle is pointed at and clicked on the canvas', async () => {
    await expect(card(page)).toHaveAttribute('data-lat', '-6.1');
    await expect(card(page)).toBeInViewport();
    // Not before the map has gone there, where the other one is out of sight, and come to rest: a click while it moves means
    // another place.
    await expect(canvas(page)).toHaveAttribute('data-vehicles-drawn', '1');
    await card(page).getByRole('button', { name: 'Tutup' }).hover();
    const place = await vehiclePlace(page);
    await page.keyboard.press('Escape');
    await expect(card(page)).toHaveCount(0);
    // What is below the mouse is asked when it moves, of what is drawn by then; no hand holds it still.
    await expect(async () => {
      await page.mouse.move(place.x + 1, place.y);
      await page.mouse.move(place.x, place.y);
      await expect(page.getByRole('tooltip', { name: TRUCK.name })).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await page.mouse.click(place.x, place.y);
    await expect(card(page)).toHaveAttribute('data-lat', '-6.1');
  });

  await test.step('it glides to where it reports from, and is clicked there', async () => {
    const before = await vehiclePlace(page);
    await armada.move(TRUCK.imei, { ...NORTH, lat: -6.096 });
    await expect(card(page)).toHaveAttribute('data-lat', '-6.096');
    await expect.poll(async () => before.y - (await vehiclePlace(page)).y).toBeGreaterThan(20);
    await card(page).getByRole('button', { name: 'Tutup' }).hover();
    const now = await vehiclePlace(page);
    await page.keyboard.press('Escape');
    await expect(card(page)).toHaveCount(0);
    // Farther from where it was than a click may miss by.
    await page.mouse.click(now.x, now.y);
    await expect(card(page)).toHaveAttribute('data-lat', '-6.096');
  });

  await test.step('the map follows it until it is dragged', async () => {
    await card(page).getByRole('button', { name: 'Ikuti', exact: true }).click();
    const following = card(page).getByRole('button', { name: 'Mengikuti' });
    await expect(following).toHaveAttribute('aria-pressed', 'true');
    const before = await card(page).boundingBox();
    // Farther than is glided: the vehicle is somewhere else at once, and would be out of sight.
    await armada.move(TRUCK.imei, { ...NORTH, lat: -6.9 });
    await expect(card(page)).toHaveAttribute('data-lat', '-6.9');
    await expect(card(page)).toBeInViewport();
    await expect
      .poll(async () => Math.abs(((await card(page).boundingBox())?.x ?? 0) - (before?.x ?? 0)))
      .toBeLessThan(3);
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
  const tools = page.getByRole('toolbar', { name: 'Alat peta' });
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
    await expect(panel).toContainText(/\d km lurus melalui 2 tempat/);
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
    const middle = async () => Math.round((await vehiclePlace(page)).x);
    // At rest: two looks in a row see it in one place.
    await expect(async () => expect(await middle()).toBe(await middle())).toPass();
    const before = await vehiclePlace(page);
    for (const name of ['Perbesar', 'Perbesar', 'Perkecil']) await tools.getByRole('button', { name }).click();
    await expect.poll(async () => Math.abs((await vehiclePlace(page)).x - before.x)).toBeLessThan(4);
    await expect.poll(async () => Math.abs((await vehiclePlace(page)).y - before.y)).toBeLessThan(30);
  });

  await test.step('its device opens over the map, and Escape leads back step by step', async () => {
    await card(page)
      .getByRole('button', { name: `Tindakan lain untuk ${near.name}` })
      .click();
    await page.getByRole('menuitem', { name: 'Buka perangkat' }).click();
    const drawer = page.getByRole('dialog', { name: near.name });
    await expect(drawer.getByLabel('Nama').first()).toHaveValue(near.name);
    await page.keyboard.press('Escape');
    await expect(drawer).toHaveCount(0);
    await expect(card(page).getByRole('button', { name: `Tindakan lain untuk ${near.name}` })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(card(page)).toHaveCount(0);
  });

  await test.step('the map fills the screen, and gives it back', async () => {
    const full = tools.getByRole('button', { name: 'Layar penuh' });
    await full.click();
    const map = page.getByRole('region', { name: 'Peta kendaraan' });
    await expect.poll(async () => (await map.boundingBox())?.x).toBe(0);
    await full.click();
    await expect.poll(async () => (await map.boundingBox())?.x).toBeGreaterThan(0);
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
    const map = page.getByRole('region', { name: 'Peta kendaraan' });
    expect((await map.boundingBox())?.height).toBeGreaterThan(400);
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

test('a device that nobody shows to this person is said to be gone', async ({ page }) => {
  await signIn(page, '/maps?device_id=01900000-0000-7000-8000-000000000000');
  await expect(card(page)).toContainText('Kendaraan ini tidak ada');
});
