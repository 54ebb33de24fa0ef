import { demoTenant, enter, makeAdmin } from './accounts';
import { expect, test } from './armada';
import { expectNoViolations } from './axe';
import { call, ownerToken } from './fleet';

interface Listed<T> {
  items: T[];
}

// Its vehicles obey.
test.use({ demo: true });

test('a vehicle of the demonstration is told to report, to stop and to run again', async ({
  page,
  request,
  armada,
}) => {
  const tenantId = await demoTenant(request, armada);
  const admin = await makeAdmin(request, armada, 'Ratna', tenantId);
  const token = await ownerToken(armada);
  // One that stands, so that its engine may be stopped, and that its gateway hears.
  let vehicle: { id: string; name: string } | undefined;
  await expect(async () => {
    const path = '/api/v1/devices?live_state=parked&live_state=idle&sort=name&page_size=1';
    ({
      items: [vehicle],
    } = await call<Listed<{ id: string; name: string }>>(armada, 'GET', path, undefined, token));
    expect(vehicle).toBeDefined();
  }).toPass({ timeout: 60_000 });
  if (!vehicle) throw new Error('no vehicle stands');
  const { id, name } = vehicle;
  await enter(page, `/devices?open=${id}&tab=commands`, admin);
  const drawer = (title: string | RegExp) => page.getByRole('dialog', { name: title }).last();
  const send = async (kind: string) => {
    await drawer(name).getByRole('button', { name: 'Kirim perintah' }).click();
    const form = drawer('Kirim perintah');
    await form.getByRole('combobox', { name: 'Perintah', exact: true }).click();
    await page.getByRole('option', { name: kind, exact: true }).click();
    return form;
  };
  const states = drawer(name).getByRole('listitem');

  await test.step('it says where it is, and the drawer tells by itself what it said', async () => {
    const form = await send('Minta posisi sekarang');
    await expectNoViolations(page, '[role=dialog]');
    await form.getByRole('button', { name: 'Kirim', exact: true }).click();
    await expect(form).toBeHidden();
    // The admin of the demonstration may have asked it before: the newest comes first.
    const asked = states.filter({ hasText: 'Minta posisi sekarang' });
    await expect(asked.first()).toContainText('Dilaksanakan', { timeout: 30_000 });
  });

  await test.step('its engine is stopped with a reason, after a question', async () => {
    const form = await send('Matikan mesin');
    await form.getByLabel('Alasan').fill('Latihan');
    await form.getByRole('button', { name: 'Kirim', exact: true }).click();
    const question = drawer('Matikan mesin kendaraan ini?');
    await expectNoViolations(page, '[role=dialog]');
    await question.getByRole('button', { name: 'Matikan mesin' }).click();
    await expect(form).toBeHidden();
    await expect(states.filter({ hasText: 'Matikan mesin' })).toContainText(/Dilaksanakan|Mengantre/, {
      timeout: 30_000,
    });
  });

  await test.step('it may run again, and the history has it all', async () => {
    const form = await send('Hidupkan kembali mesin');
    await form.getByRole('button', { name: 'Kirim', exact: true }).click();
    await expect(states.filter({ hasText: 'Hidupkan kembali mesin' })).toContainText('Dilaksanakan', {
      timeout: 30_000,
    });
    await drawer(name).getByRole('link', { name: 'Semua perintah perangkat ini' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Perintah' })).toBeVisible();
    await page.getByRole('row').filter({ hasText: 'Minta posisi sekarang' }).getByRole('button').first().click();
    await expect(drawer(name)).toContainText('GPS:');
    await expectNoViolations(page, '[role=dialog]');
  });

  await test.step('a command is kept, and chosen for several vehicles at once', async () => {
    await page.goto('/commands/saved');
    await page.getByRole('button', { name: 'Tambah perintah tersimpan' }).first().click();
    const kept = drawer('Perintah tersimpan baru');
    await kept.getByLabel('Nama').fill('Tiap dua menit');
    await kept.getByRole('combobox', { name: 'Perintah', exact: true }).click();
    await page.getByRole('option', { name: 'Posisi berkala' }).click();
    await kept.getByLabel('Interval').fill('120');
    await kept.getByRole('button', { name: 'Tambah perintah tersimpan' }).click();
    await expect(page.getByRole('row').filter({ hasText: 'tiap 120 detik' })).toBeVisible();
    await page.goto('/devices?live_state=moving');
    const boxes = page.getByRole('row').getByRole('checkbox');
    await boxes.nth(1).check();
    await boxes.nth(2).check();
    await page.getByRole('button', { name: 'Kirim perintah' }).click();
    const form = drawer('Kirim perintah ke 2 perangkat');
    await form.getByRole('combobox', { name: 'Perintah tersimpan' }).click();
    await page.getByRole('option', { name: 'Tiap dua menit' }).click();
    await expect(form.getByLabel('Interval')).toHaveValue(/^120/);
    await expectNoViolations(page, '[role=dialog]');
    await form.getByRole('button', { name: 'Kirim', exact: true }).click();
    await expect(form.getByRole('status')).toContainText('2 perintah masuk antrean.');
  });
});
