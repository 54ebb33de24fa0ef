import { enter, makeAdmin, makeUser } from './accounts';
import { expect, test, type Armada } from './armada';
import { expectNoViolations } from './axe';
import { call, newFleet, ownerToken, trucks } from './fleet';
import { newImei } from './imei';
import { VIEWPORTS } from './sizes';

const PASSWORD = 'a good long password';

/** The role that a new tenant has for those who look. */
async function viewerRole(armada: Armada, token: string, tenantId: string): Promise<string> {
  const path = `/api/v1/roles?tenant_id=${tenantId}`;
  const { items } = await call<{ items: { id: string; name: string }[] }>(armada, 'GET', path, undefined, token);
  const role = items.find(({ name }) => name === 'Pemantau');
  if (!role) throw new Error('a new tenant has no role of viewers');
  return role.id;
}

test('an admin links vehicles to a viewer, who sees exactly those', async ({ page, request, armada }) => {
  const token = await ownerToken(armada);
  const { tenantId } = await newFleet(armada, 'Angkutan Berbagi', []);
  const admin = await makeAdmin(request, armada, 'Ratna', tenantId);
  const role = await viewerRole(armada, token, tenantId);
  const person = async (name: string) => {
    const account = { email: `${name.toLowerCase()}.berbagi@example.test`, password: PASSWORD };
    const id = await makeUser(armada, token, { ...account, name, tenant_id: tenantId });
    await call(armada, 'PUT', `/api/v1/users/${id}/roles`, { role_ids: [role] }, token);
    return { ...account, id };
  };
  const [sari, budi] = [await person('Sari'), await person('Budi')];
  for (const device of trucks(4))
    await call(
      armada,
      'POST',
      '/api/v1/devices',
      { ...device, imei: newImei(), tenant_id: tenantId, user_id: sari.id },
      token,
    );

  await enter(page, '/device-members', admin);
  const drawer = (name: string) => page.getByRole('dialog', { name });
  const choose = async (within: ReturnType<typeof drawer> | typeof page, label: RegExp, name: string) => {
    await within.getByRole('combobox', { name: label }).fill(name);
    await page.getByRole('option', { name }).click();
  };

  await test.step('two vehicles are linked until a day, and each result is told', async () => {
    await page.getByRole('button', { name: 'Beri akses' }).first().click();
    const form = drawer('Beri akses');
    await choose(form, /^Pengguna tujuan/, 'Budi');
    await expect(form.getByText('Melihat perangkat, status live, dan riwayatnya, sejauh izinnya.')).toBeVisible();
    await choose(form, /^Perangkat/, 'Truk 001');
    await choose(form, /^Perangkat/, 'Truk 002');
    await page.keyboard.press('Escape');
    await form.getByLabel('Berlaku sampai').fill('31/12/2099');
    await expectNoViolations(page, '[role=dialog]');
    await form.getByRole('button', { name: 'Beri akses', exact: true }).click();
    await expect(form.getByText('2 akses berhasil diubah.')).toBeVisible();
    await expectNoViolations(page, '[role=dialog]');
    await form.getByRole('button', { name: 'Tutup' }).last().click();
    const row = page.getByRole('row').filter({ hasText: 'Budi' });
    await expect(row).toHaveCount(2);
    await expect(row.first()).toContainText('31 Des 2099');
  });

  await test.step('linked again, they are passed over', async () => {
    await page.goto(`/device-members?open=${encodeURIComponent(`new?user_id=${budi.id}`)}`);
    const form = drawer('Beri akses');
    await choose(form, /^Perangkat/, 'Truk 001');
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Beri akses', exact: true }).click();
    await expect(form.getByText('Pengguna itu sudah punya akses ke semua perangkat yang dipilih.')).toBeVisible();
    await form.getByRole('button', { name: 'Tutup' }).last().click();
  });

  await test.step('the link manager shows what would change, and changes it', async () => {
    await page.getByRole('tab', { name: 'Kelola akses' }).click();
    await choose(page, /^Pengguna tujuan/, 'Budi');
    await choose(page, /^Pengguna asal/, 'Sari');
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(new RegExp(`to=${budi.id}.*from=${sari.id}|from=${sari.id}.*to=${budi.id}`));
    const owned = page.getByRole('region', { name: /^Milik pengguna asal/ });
    const linked = page.getByRole('region', { name: /^Dapat diakses pengguna tujuan/ });
    await owned.getByRole('checkbox', { name: 'Truk 002' }).check();
    await owned.getByRole('checkbox', { name: 'Truk 003' }).check();
    await linked.getByRole('checkbox', { name: 'Truk 001' }).check();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Pratinjau' }).click();
    await expect(page.getByRole('heading', { name: 'Pratinjau: belum ada yang diubah' })).toBeFocused();
    await expect(page.getByRole('row').filter({ hasText: 'Truk 002' })).toContainText('Sudah punya akses');
    await expect(page.getByRole('row').filter({ hasText: 'Truk 003' })).toContainText('Akan ditambahkan');
    await expect(page.getByRole('row').filter({ hasText: 'Truk 001' })).toContainText('Akan dicabut');
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Terapkan' }).click();
    const question = drawer('Ubah akses Budi?');
    await expect(question.getByText(/ditambahkan: 1\. Akses dicabut: 1\./)).toBeVisible();
    await question.getByRole('button', { name: 'Terapkan' }).click();
    await expect(page.getByText('2 berhasil, 1 dilewati, 0 gagal.')).toBeVisible();
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Simpan sebagai CSV' }).click();
    expect((await file).suggestedFilename()).toBe('akses-perangkat.csv');
    await page.getByRole('button', { name: 'Kembali ke daftar' }).click();
    await expect(linked.getByRole('checkbox', { name: 'Truk 003' })).toBeVisible();
    await expect(linked.getByRole('checkbox', { name: 'Truk 001' })).toHaveCount(0);
  });

  await test.step('the device says who sees it and why', async () => {
    await page.goto('/devices?q=Truk%20003');
    await page.getByRole('button', { name: 'Truk 003', exact: true }).click();
    const device = drawer('Truk 003');
    await device.getByRole('tab', { name: 'Lainnya' }).click();
    await device.getByRole('tab', { name: 'Akses' }).click();
    const access = device.getByRole('list', { name: 'Yang melihat perangkat ini' });
    await expect(access.getByRole('listitem').filter({ hasText: 'Sari' })).toContainText('Pemilik');
    await expect(access.getByRole('listitem').filter({ hasText: 'Budi' })).toContainText('Pemantau');
    await expect(access.getByRole('listitem').filter({ hasText: 'Ratna' })).toContainText('Admin perusahaan');
    await expectNoViolations(page, '[role=dialog]');
  });

  await test.step('and the user, how many devices they see', async () => {
    await page.goto(`/users?open=${budi.id}`);
    const user = drawer('Budi');
    await expect(user.getByText('2 perangkat', { exact: true })).toBeVisible();
    await expect(user.getByRole('list', { name: 'Akses pengguna ini' }).getByRole('listitem')).toHaveCount(2);
    await expectNoViolations(page, '[role=dialog]');
  });

  await test.step('the viewer sees exactly those', async () => {
    await enter(page, '/devices', budi);
    await expect(page.getByRole('row').filter({ hasText: 'Truk' })).toHaveCount(2);
    await expect(page.getByRole('row').filter({ hasText: 'Truk 002' })).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: 'Truk 003' })).toBeVisible();
  });
});

for (const viewport of VIEWPORTS) {
  test.describe(`${viewport.width}`, () => {
    test.use({ viewport, contextOptions: { reducedMotion: 'reduce' } });

    test('links and their manager keep nobody out', async ({ page, request, armada }) => {
      const { tenantId, devices } = await newFleet(armada, `Angkutan ${viewport.width}`, trucks(2));
      const admin = await makeAdmin(request, armada, `Wahyu${viewport.width}`, tenantId);
      const token = await ownerToken(armada);
      const device_ids = devices.map(({ id }) => id);
      const body = { user_id: admin.id, role: 'owner', device_ids };
      await call(armada, 'POST', '/api/v1/device-members/link', body, token);
      await enter(page, '/device-members', admin);
      const paths = ['/device-members', '/device-members?open=new', `/device-members/manager?to=${admin.id}`];
      for (const path of paths) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
        await expectNoViolations(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
      }
    });
  });
}
