import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { enter, makeAdmin } from './accounts';
import { expect, test } from './armada';
import { call, newFleet, ownerToken } from './fleet';

const dialog = (page: Page, name?: string) => page.getByRole('dialog', name === undefined ? {} : { name });
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('a tenant is made with all that is known of it, found, and put on file and paper', async ({ page }) => {
  await enter(page, '/tenants?open=new');
  const drawer = dialog(page, 'Tenant baru');

  await test.step('what cannot be is refused', async () => {
    await drawer.getByLabel('Tanggal tagihan').fill('29');
    await drawer.getByRole('button', { name: 'Tambah tenant' }).click();
    await expect(drawer.getByRole('alert')).toContainText('Nama tenant wajib diisi.');
    await expect(drawer.getByRole('alert')).toContainText('Isi tanggal 1 sampai 28.');
  });

  await test.step('the rest is kept', async () => {
    await drawer.getByLabel('Nama').fill('Muatan Nusantara');
    await drawer.getByLabel('Keterangan').fill('Truk antarpulau');
    await drawer.getByLabel('Batas perangkat').fill('20');
    await drawer.getByLabel('Tanggal tagihan').fill('28');
    await drawer.getByRole('combobox', { name: 'Model biaya' }).click();
    await page.getByRole('option', { name: 'Per perangkat' }).click();
    await drawer.getByLabel('Biaya per perangkat').fill('75000');
    await drawer.getByRole('combobox', { name: 'Langganan' }).click();
    await page.getByRole('option', { name: 'Menunggak' }).click();
    await drawer.getByRole('button', { name: 'Tambah tenant' }).click();
    await expect(page.getByText('Tenant baru berhasil ditambahkan.')).toBeVisible();
    // Other journeys make tenants too, so it need not be on the first page.
    await page.goto('/tenants?q=Muatan%20Nusantara');
    await expect(row(page, 'Muatan Nusantara')).toContainText('0 / 20');
    await expect(row(page, 'Muatan Nusantara')).toContainText('0 / tanpa batas');
    await page.getByRole('button', { name: 'Muatan Nusantara', exact: true }).click();
    const opened = dialog(page, 'Muatan Nusantara');
    await expect(opened.getByLabel('Biaya per perangkat')).toHaveValue('75.000');
    await expect(opened.getByLabel('Tanggal tagihan')).toHaveValue('28');
    await page.keyboard.press('Escape');
  });

  await test.step('its subscription leads to it', async () => {
    await page
      .getByRole('list', { name: 'Ringkasan tenant' })
      .getByRole('button', { name: /^Menunggak/ })
      .click();
    await expect(page).toHaveURL(/subscription_status=past_due/);
    await expect(page.getByText('1–1 dari 1')).toBeVisible();
  });

  await test.step('a file has a column for each number', async () => {
    const arrives = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Ekspor' }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const [head, ...lines] = (await readFile(await (await arrives).path())).toString().trim().split('\r\n');
    expect(head).toContain('Batas perangkat');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('Muatan Nusantara');
    const pdf = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Ekspor' }).click();
    await page.getByRole('menuitem', { name: 'PDF' }).click();
    expect((await readFile(await (await pdf).path())).subarray(0, 5).toString()).toBe('%PDF-');
  });
});

test('a tenant that is deactivated loses its people at once, and keeps its positions', async ({
  page,
  request,
  armada,
  browser,
}) => {
  const { tenantId, devices } = await newFleet(armada, 'Angkutan Berhenti', [{ name: 'Truk Setia' }]);
  const admin = await makeAdmin(request, armada, 'Hasan', tenantId);
  const context = await browser.newContext({ baseURL: armada.url });
  const theirs = await context.newPage();
  await enter(theirs, '/devices', admin);
  await expect(theirs.getByRole('button', { name: 'Truk Setia' })).toBeVisible();

  await test.step('a question says what that does', async () => {
    await enter(page, `/tenants?open=${tenantId}`);
    const drawer = dialog(page, 'Angkutan Berhenti');
    await expect(drawer.getByText('Terpakai 1. 0 berarti tanpa batas.').first()).toBeVisible();
    await drawer.getByRole('switch', { name: 'Aktif' }).uncheck();
    await drawer.getByRole('button', { name: 'Simpan perubahan' }).click();
    const question = dialog(page, 'Nonaktifkan Angkutan Berhenti?');
    await expect(question).toContainText('tetap diterima');
    await question.getByRole('button', { name: 'Simpan' }).click();
    await expect(page.getByText('Tenant berhasil diperbarui.')).toBeVisible();
    await expect(row(page, 'Angkutan Berhenti')).toContainText('Nonaktif');
  });

  await test.step('its people are out', async () => {
    await theirs.reload();
    await expect(
      dialog(theirs, 'Sesi Anda telah berakhir')
        .or(theirs.getByRole('heading', { name: 'Masuk', exact: true }))
        .first(),
    ).toBeVisible();
    await context.close();
  });

  await test.step('its positions still come in', async () => {
    await armada.publish(devices[0]?.imei ?? '', { lat: -6.2, lng: 106.8, speed: 37 });
    const token = await ownerToken(armada);
    const speeds = async () => {
      const path = `/api/v1/last-positions?tenant_id=${tenantId}`;
      const { items } = await call<{ items: { speed?: number }[] }>(armada, 'GET', path, undefined, token);
      return items.map(({ speed }) => speed);
    };
    await expect.poll(speeds).toEqual([37]);
  });
});
