import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { OWNER, expect, test, type Armada } from './armada';
import { signIn } from './steps';

const DEVICES = 30;
/** A spreadsheet would run it. */
const FORMULA = '=1+1';

async function call<T>(armada: Armada, method: string, path: string, body?: object, token?: string): Promise<T> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(armada.url + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function fillFleet(armada: Armada): Promise<void> {
  const { token } = await call<{ token: string }>(armada, 'POST', '/auth/login', OWNER);
  const tenant = await call<{ id: string }>(armada, 'POST', '/api/v1/tenants', { name: 'Angkutan Merdeka' }, token);
  for (let number = 1; number <= DEVICES; number++) {
    const device = {
      tenant_id: tenant.id,
      name: number === DEVICES ? FORMULA : `Truk ${String(number).padStart(2, '0')}`,
      imei: `3569380356${String(number).padStart(5, '0')}`,
      icon_type: number % 2 ? 'truck' : 'bus',
      vehicle_code: `B ${9000 + number} XY`,
    };
    await call(armada, 'POST', '/api/v1/devices', device, token);
  }
}

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
  await fillFleet(armada);
  await signIn(page, '/devices');
  await expect(page.getByText(`1–25 dari ${DEVICES}`)).toBeVisible();

  await test.step('sort, filter and columns survive a reload', async () => {
    await page.getByRole('button', { name: 'Nomor polisi' }).click();
    await page.getByRole('button', { name: 'Nomor polisi' }).click();
    await expect(firstRow(page)).toContainText(FORMULA);
    await page.getByRole('button', { name: 'Tambah filter' }).click();
    await page.getByRole('menuitem', { name: 'Jenis' }).click();
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
    await expect(page.getByRole('columnheader', { name: 'Nomor polisi' })).toHaveAttribute('aria-sort', 'descending');
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
    await expect(page.getByText('2 perangkat dinonaktifkan.')).toBeVisible();
    await page.goto('/devices?status=inactive');
    await expect(page.getByText('1–2 dari 2')).toBeVisible();
  });

  await test.step('a link opens a device', async () => {
    await page.getByRole('button', { name: 'Truk 28' }).click();
    await expect(page).toHaveURL(/open=/);
    await page.goto(page.url());
    await expect(page.getByRole('dialog', { name: 'Truk 28' })).toBeVisible();
  });

  await test.step('all of it works by keyboard', async () => {
    await page.goto('/devices');
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
