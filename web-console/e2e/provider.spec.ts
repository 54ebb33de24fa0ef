import { test as base, expect } from './armada';
import { expectNoViolations } from './axe';
import { call, ownerToken } from './fleet';
import { newImei } from './imei';
import { CLIENT, Provider } from './provider';
import { signOut, userMenu } from './steps';

/** Armada with a provider of identities. */
const test = base.extend<object, { provider: Provider }>({
  provider: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const provider = await Provider.open();
      await use(provider);
      provider.close();
    },
    { scope: 'worker' },
  ],
  config: [
    async ({ provider }, use) =>
      use(`[identity]
public_url = "{url}"
secret_key = "a secret key that only this journey knows"

[identity.oidc]
issuer = "${provider.issuer}"
client_id = "${CLIENT.id}"
client_secret = "${CLIENT.secret}"
name = "Direktori PT Maju"
`),
    { scope: 'worker' },
  ],
});

const BY_PROVIDER = { name: 'Masuk dengan Direktori PT Maju' };

test('who was invited comes in by the provider, to the page that was asked for', async ({ page, armada, provider }) => {
  const token = await ownerToken(armada);
  const tenant = await call<{ id: string }>(armada, 'POST', '/api/v1/tenants', { name: 'PT Maju' }, token);
  provider.email = 'budi@maju.example';
  const person = { name: 'Budi', email: provider.email, tenant_id: tenant.id, invite: true, is_tenant_admin: true };
  await call(armada, 'POST', '/api/v1/users', person, token);

  await page.goto('/devices?q=truk');
  await page.getByRole('button', BY_PROVIDER).click();
  await page.getByRole('link', { name: 'Go on' }).click();
  await expect(userMenu(page, 'Budi')).toBeVisible();
  await expect(page).toHaveURL(/\/devices\?q=truk$/);
  await page.reload();
  await expect(userMenu(page, 'Budi')).toBeVisible();

  await test.step('a session that ends is taken up in a second tab, and nothing that was typed is lost', async () => {
    await page.getByRole('button', { name: 'Tambah perangkat' }).first().click();
    const drawer = page.getByRole('dialog', { name: 'Perangkat baru' });
    await drawer.getByLabel('Nama', { exact: false }).first().fill('Truk Satu');
    const bearer = `Bearer ${await page.evaluate(() => localStorage.getItem('token'))}`;
    const headers = { authorization: bearer, origin: armada.url };
    expect((await page.request.post('/auth/logout', { headers })).ok()).toBe(true);
    const dialog = page.getByRole('dialog', { name: 'Sesi Anda telah berakhir' });
    await drawer.getByLabel('IMEI', { exact: false }).first().fill(newImei());
    const save = drawer.getByRole('button', { name: 'Tambah perangkat' });
    await expect(async () => {
      if (!(await dialog.isVisible())) await save.click({ timeout: 1_000 });
      await expect(dialog).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expectNoViolations(page, '[role=dialog]');
    const opened = page.waitForEvent('popup');
    await dialog.getByRole('link', BY_PROVIDER).click();
    const second = await opened;
    await second.getByRole('link', { name: 'Go on' }).click();
    await expect(second.getByRole('heading', { name: 'Anda sudah masuk' })).toBeVisible();
    await second.close();
    await expect(dialog).toBeHidden();
    // What was asked for before the session ended is done now.
    await expect(drawer).toBeHidden();
    await expect(
      page.getByRole('row').filter({ hasText: 'Truk Satu' }).or(page.getByText('Truk Satu')).first(),
    ).toBeVisible();
  });

  await page.goto('/account');
  await expect(page.getByText('Minta tautan kata sandi kepada admin Anda.', { exact: false })).toBeVisible();
  await signOut(page);
});

test('whoever refuses there, or is nobody here, is told so', async ({ page, provider }) => {
  provider.email = 'nobody@maju.example';
  await page.goto('/maps');
  await page.getByRole('button', BY_PROVIDER).click();
  await page.getByRole('link', { name: 'Refuse' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  const refused = await page.getByRole('alert').textContent();
  await page.getByRole('button', BY_PROVIDER).click();
  await page.getByRole('link', { name: 'Go on' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByRole('alert')).not.toHaveText(refused ?? '');
  await expect(page.getByRole('heading', { name: 'Masuk' })).toBeVisible();
});
