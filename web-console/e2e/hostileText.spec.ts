import type { Page } from '@playwright/test';
import { enter, makeUser } from './accounts';
import { expect, test, type Armada } from './armada';
import { call, ownerToken } from './fleet';
import { newImei } from './imei';
import { signIn, vehicleRow } from './steps';

/** Runs when it is taken for markup, and is a formula where it is taken for one. */
const MARKUP = '<img src=hurt onerror="window.hurt=1">';
const FORMULA = "=cmd|' /C calc'!A0";
/** Beyond the basic plane of Unicode, and written from right to left. */
const MAILS = '𠮷🚚 شاحنة';
const HOSTILE = [MARKUP, FORMULA, MAILS];
/** Turns what follows round, so that a name reads as another one. */
const DISGUISED = 'a\u202Eb';

interface Named {
  id: string;
}

/** A body with every text field of a resource set to one text. */
type Body = (text: string, number: number) => object;

/** Each resource with texts, where it is made, and which of its fields take them. */
const RESOURCES: Record<string, { path: string; fields: string[]; body: (tenant: string) => Body }> = {
  tenants: {
    path: '/api/v1/tenants',
    fields: ['name', 'description'],
    body: () => (text) => ({ name: text, description: text }),
  },
  users: {
    path: '/api/v1/users',
    fields: ['name', 'phone'],
    body: (tenant) => (text, number) => ({
      name: text,
      phone: text.slice(0, 30),
      email: `hostile.${number}@example.test`,
      password: 'a good long password',
      tenant_id: tenant,
    }),
  },
  roles: {
    path: '/api/v1/roles',
    fields: ['name', 'description'],
    body: (tenant) => (text) => ({ name: text, description: text, tenant_id: tenant }),
  },
  devices: {
    path: '/api/v1/devices',
    fields: ['name', 'maintenance_status'],
    body: (tenant) => (text) => ({
      name: text,
      maintenance_status: text,
      imei: newImei(),
      tenant_id: tenant,
    }),
  },
};

async function expectInert(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expect(page.locator('img[src*=hurt]')).toHaveCount(0);
  expect(await page.evaluate(() => (window as { hurt?: number }).hurt)).toBeUndefined();
}

async function makeEverything(armada: Armada, token: string): Promise<string> {
  const tenant = await call<Named>(armada, 'POST', '/api/v1/tenants', { name: 'Teks Jahat' }, token);
  let number = 0;
  for (const { path, body } of Object.values(RESOURCES)) {
    for (const text of HOSTILE) await call(armada, 'POST', path, body(tenant.id)(text, ++number), token);
  }
  return tenant.id;
}

test('texts of whoever wants to do harm are shown as they are, and do none', async ({ page, armada }) => {
  const tenantId = await makeEverything(armada, await ownerToken(armada));
  await signIn(page, '/tenants');
  for (const path of ['/tenants', '/users', '/roles', '/devices']) {
    // Other journeys of the same Armada fill pages as well.
    await page.goto(path === '/tenants' ? '/tenants?sort=-created_at' : `${path}?tenant_id=${tenantId}`);
    for (const text of HOSTILE)
      await expect(page.getByRole('cell', { name: text, exact: true }).first(), path).toBeVisible();
    await expectInert(page);
    await page.getByRole('cell', { name: MARKUP, exact: true }).first().click();
    await expect(
      page
        .getByRole('textbox')
        .or(page.getByRole('heading', { name: MARKUP }))
        .first(),
    ).toBeVisible();
    await expectInert(page);
  }
  await page.goto('/audit');
  await expect(page.getByText(MARKUP, { exact: false }).first()).toBeVisible();
  await expectInert(page);
});

test('neither does a vehicle on the map', async ({ page, armada }) => {
  const token = await ownerToken(armada);
  const tenant = await call<Named>(armada, 'POST', '/api/v1/tenants', { name: 'Peta Jahat' }, token);
  const imei = newImei();
  const device = { name: MARKUP, maintenance_status: MARKUP, imei, tenant_id: tenant.id };
  await call(armada, 'POST', '/api/v1/devices', device, token);
  const account = { email: 'peta.jahat@example.test', password: 'a good long password' };
  await makeUser(armada, token, { ...account, name: MARKUP, tenant_id: tenant.id, is_tenant_admin: true });
  await armada.publish(imei, { lat: -6.2, lng: 106.8, speed: 40 });
  await enter(page, '/maps', account);
  await vehicleRow(page, MARKUP).click();
  await expect(page.getByTestId('vehicle-card')).toContainText(MARKUP);
  await expectInert(page);
});

test('what disguises a name, and what is too long, is refused by its field', async ({ armada }) => {
  const token = await ownerToken(armada);
  const tenant = await call<Named>(armada, 'POST', '/api/v1/tenants', { name: 'Teks Ditolak' }, token);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  for (const [name, { path, fields, body }] of Object.entries(RESOURCES)) {
    for (const text of [DISGUISED, 'x'.repeat(10_000)]) {
      const sent = { ...body(tenant.id)('ok', 0), ...Object.fromEntries(fields.map((field) => [field, text])) };
      const answer = await fetch(armada.url + path, { method: 'POST', headers, body: JSON.stringify(sent) });
      expect(answer.status, `${name}: ${text.slice(0, 20)}`).toBe(422);
      const refused = (await answer.json()) as { fields: Record<string, string> };
      expect(Object.keys(refused.fields).sort(), `${name}: ${text.slice(0, 20)}`).toEqual([...fields].sort());
    }
  }
});
