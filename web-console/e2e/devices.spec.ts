import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, test } from './armada';
import { newFleet, trucks, type NewDevice } from './fleet';
import { signIn } from './steps';

const DEVICES = 30;
/** A spreadsheet would run it. */
const FORMULA = '=1+1';

const mixedFleet = Array.from({ length: DEVICES }, (_, index): NewDevice => {
  const number = index + 1;
  return {
    name: number === DEVICES ? FORMULA : `Truk ${String(number).padStart(2, '0')}`,
    icon_type: number % 2 ? 'truck' : 'bus',
    vehicle_code: `B ${9000 + number} XY`,
  };
});

const rows = (page: Page) => page.getByRole('table').getByRole('row');
const firstRow = (page: Page) => rows(page).nth(1);

async function exported(page: Page, format: string): Promise<Buffer> {
  const arrives = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Ekspor' }).click();
  await page.getByRole('menuitem', { name: format }).click();
  return readFile(await (await arrives).path());
}

/** The text of a file in a zip whose entries may be deflated. */
function unzipped(zip: Buffer): string {
  let text = '';
  for (let at = zip.indexOf('PK\u0001\u0002'); at >= 0; at = zip.indexOf('PK\u0001\u0002', at + 4)) {
    const start = zip.readUInt32LE(at + 42);
    const data = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
    const packed = zip.subarray(data, data + zip.readUInt32LE(at + 20));
    text += zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed).toString() : packed.toString();
  }
  return text;
}

test('a fleet is sorted, narrowed, changed and exported', async ({ page, armada }) => {
  const { tenantId } = await newFleet(armada, 'Angkutan Campuran', mixedFleet);
  await signIn(page, `/devices?tenant_id=${tenantId}`);
  await expect(page.getByText(`1–25 dari ${DEVICES}`)).toBeVisible();

  await test.step('sort, filter and columns survive a reload', async () => {
    const plate = page.getByRole('columnheader', { name: 'Nopol' });
    for (const order of ['ascending', 'descending']) {
      await plate.getByRole('button').click();
      await expect(plate).toHaveAttribute('aria-sort', order);
    }
    await expect(firstRow(page)).toContainText(FORMULA);
    await page.getByRole('button', { name: 'Tambah filter' }).click();
    await page.getByRole('menuitem', { name: 'Ikon peta' }).click();
    await page.getByRole('option', { name: 'Bus' }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByText('1–15 dari 15')).toBeVisible();
    await page.getByRole('button', { name: 'Kolom dan kerapatan' }).click();
    await page.getByRole('checkbox', { name: 'Pengemudi' }).uncheck();
    await page.keyboard.press('Escape');
    await page.reload();
    await expect(page.getByText('1–15 dari 15')).toBeVisible();
    await expect(firstRow(page)).toContainText(FORMULA);
    await expect(page.getByRole('columnheader', { name: 'Pengemudi' })).toHaveCount(0);
    await expect(plate).toHaveAttribute('aria-sort', 'descending');
  });

  await test.step('files have everything that matches, and a formula in them is only text', async () => {
    const csv = (await exported(page, 'CSV')).toString();
    expect(csv.trim().split('\r\n')).toHaveLength(16);
    expect(csv).toContain(`'${FORMULA}`);
    const sheet = unzipped(await exported(page, 'Excel (XLSX)'));
    expect(sheet).toContain(FORMULA);
    expect(sheet).not.toContain('<f>');
  });

  await test.step('chosen devices are set inactive', async () => {
    await page.getByRole('checkbox', { name: 'Pilih Truk 28' }).check();
    await page.getByRole('checkbox', { name: 'Pilih Truk 26' }).check();
    await page.getByRole('button', { name: 'Nonaktifkan' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Nonaktifkan' }).click();
    await expect(page.getByText('Selesai: 2')).toBeVisible();
    await page.goto(`/devices?status=inactive&tenant_id=${tenantId}`);
    await expect(page.getByText('1–2 dari 2')).toBeVisible();
  });

  await test.step('a link opens a device', async () => {
    await page.getByRole('button', { name: 'Truk 28' }).click();
    await expect(page).toHaveURL(/open=/);
    await page.goto(page.url());
    const device = page.getByRole('dialog', { name: 'Truk 28' });
    await expect(device.getByRole('tab', { name: 'Sekarang', selected: true })).toBeVisible();
    // What a vehicle does comes first; its form is one step behind.
    await expect(device.locator('input:visible, textarea:visible, select:visible')).toHaveCount(0);
    await device.getByRole('tab', { name: 'Ubah' }).click();
    await expect(device.getByLabel('Nama').first()).toHaveValue('Truk 28');
    await expect(page).toHaveURL(/tab=edit/);
  });

  await test.step('all of it works by keyboard', async () => {
    await page.goto(`/devices?tenant_id=${tenantId}`);
    await expect(page.getByText(`1–25 dari ${DEVICES}`)).toBeVisible();
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox')).toBeFocused();
    await page.keyboard.type('Truk 07');
    await page.keyboard.press('Enter');
    await expect(page.getByText('1–1 dari 1')).toBeVisible();
    await page.keyboard.press('j');
    await expect(firstRow(page)).toBeFocused();
    await page.keyboard.press('x');
    await expect(page.getByText('1 dipilih')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByText('1 dipilih')).toHaveCount(0);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Truk 07' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(firstRow(page)).toBeFocused();
  });
});

test('of two hundred rows a page, only those in sight are on it', async ({ page, armada }) => {
  const { tenantId } = await newFleet(armada, 'Armada Besar', trucks(210));
  await signIn(page, `/devices?tenant_id=${tenantId}&page_size=200`);
  await expect(page.getByText('1–200 dari 210')).toBeVisible();
  const scroller = page.getByRole('region', { name: 'Perangkat' });
  const present = page.locator('tr[data-index]');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  await test.step('at the top', async () => {
    await expect(row('Truk 001')).toBeInViewport();
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '201');
    expect(await present.count()).toBeLessThan(60);
    await expect(row('Truk 200')).toHaveCount(0);
  });
  await test.step('at the end, whose place was known before', async () => {
    const height = await scroller.evaluate((element) => element.scrollHeight);
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(row('Truk 200')).toBeInViewport();
    await expect(row('Truk 200')).toHaveAttribute('aria-rowindex', '201');
    await expect(row('Truk 001')).toHaveCount(0);
    expect(await present.count()).toBeLessThan(60);
    expect(await scroller.evaluate((element) => element.scrollHeight)).toBe(height);
  });
  await test.step('by keyboard, to rows that are not there yet', async () => {
    await row('Truk 200').focus();
    await page.keyboard.press('Home');
    await expect(row('Truk 001')).toBeFocused();
    await expect(row('Truk 001')).toBeInViewport();
    await page.keyboard.press('End');
    await expect(row('Truk 200')).toBeFocused();
    await page.keyboard.press('x');
    await expect(page.getByText('1 dipilih')).toBeVisible();
  });
});

test('cells of what is live follow the vehicle', async ({ page, armada }) => {
  const { tenantId, devices } = await newFleet(armada, 'Armada Hidup', [{ name: 'Truk Hidup' }, { name: 'Truk Diam' }]);
  await signIn(page, `/devices?tenant_id=${tenantId}`);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const [live, silent] = [row('Truk Hidup'), row('Truk Diam')];
  await expect(live).toContainText('Tanpa data');
  const loads: string[] = [];
  page.on('request', (request) => void (request.isNavigationRequest() && loads.push(request.url())));

  const imei = devices[0]?.imei ?? '';
  await armada.publish(imei, { lat: -6.2, lng: 106.8, speed: 42 });
  await expect(live).toContainText('Bergerak');
  await expect(live.getByRole('cell', { name: '42', exact: true })).toBeVisible();
  await expect(live.locator('time').first()).toBeVisible();
  const seen = await live.locator('time').first().getAttribute('datetime');

  await armada.publish(imei, { lat: -6.2001, lng: 106.8, speed: 57 });
  await expect(live.getByRole('cell', { name: '57', exact: true })).toBeVisible();
  await expect(live.locator('time').first()).not.toHaveAttribute('datetime', seen ?? '');
  await armada.publish(imei, { lat: -6.2001, lng: 106.8, speed: 0 });
  await expect(live).toContainText('Parkir');
  // Its speed; it has driven nothing today either.
  await expect(live.getByRole('cell', { name: '0', exact: true }).first()).toBeVisible();
  await expect(silent).toContainText('Tanpa data');
  expect(loads).toEqual([]);
});
