import { enter } from './accounts';
import { expect, test } from './armada';
import { expectNoViolations } from './axe';
import { newImei } from './imei';

test('a gateway is made, gets another secret, is switched off and goes', async ({ page }) => {
  // Nobody gets the name of a gateway that there was, nor does a second try.
  const name = `depot-${Date.now().toString(36)}`;
  const drawer = (title: string) => page.getByRole('dialog', { name: title, exact: true });
  const row = page.getByRole('row').filter({ hasText: name });
  await enter(page, '/gateways');

  /** The dialog with the secret, which stays until somebody says that they have it. */
  const takeSecret = async (): Promise<string> => {
    const shown = drawer(`Kunci rahasia ${name}`);
    const secret = await shown.getByRole('textbox', { name: 'Kunci rahasia', exact: true }).inputValue();
    expect(secret).not.toBe('');
    const address = new RegExp(`^nats://${name}:${secret}@127\\.0\\.0\\.1:\\d+$`);
    await expect(shown.getByRole('textbox', { name: 'Alamat sambungan' })).toHaveValue(address);
    await expect(shown.getByText(`_INBOX_${name}`)).toBeVisible();
    await expect(shown.getByRole('button', { name: 'Selesai' })).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(shown).toBeVisible();
    await shown.getByRole('checkbox', { name: 'Saya sudah menyimpan kunci rahasia ini' }).check();
    await expectNoViolations(page, '[role=dialog]');
    await shown.getByRole('button', { name: 'Selesai' }).click();
    await expect(shown).toBeHidden();
    return secret;
  };

  let first = '';
  await test.step('its secret is shown once', async () => {
    await page.getByRole('button', { name: 'Tambah gateway' }).first().click();
    const form = drawer('Gateway baru');
    await form.getByRole('textbox', { name: /^Nama/ }).fill('depot.timur');
    await form.getByRole('button', { name: 'Tambah gateway' }).click();
    await expect(form.getByText('Huruf, angka, - dan _, paling banyak 64.').first()).toBeVisible();
    await form.getByRole('textbox', { name: /^Nama/ }).fill(name);
    await form.getByRole('textbox', { name: /^Alamat yang diizinkan/ }).fill('203.0.113.0/24');
    await form.getByRole('button', { name: 'Tambah gateway' }).click();
    first = await takeSecret();
    await expect(form).toBeHidden();
    await expect(row).toContainText('Belum tersambung');
    await expect(row).toContainText('Platform');
  });

  await test.step('another one is made, and the former one retired', async () => {
    await page.getByRole('button', { name, exact: true }).click();
    const gateway = drawer(name);
    await gateway.getByRole('tab', { name: 'Kunci rahasia' }).click();
    await gateway.getByRole('button', { name: 'Ganti kunci rahasia' }).click();
    const question = drawer(`Ganti kunci rahasia ${name}?`);
    await expect(question.getByText('tetap berlaku sampai Anda mencabutnya')).toBeVisible();
    await question.getByRole('button', { name: 'Ganti kunci rahasia' }).click();
    expect(await takeSecret()).not.toBe(first);
    await gateway.getByRole('button', { name: 'Cabut kunci rahasia lama' }).click();
    await drawer(`Cabut kunci rahasia lama ${name}?`).getByRole('button', { name: 'Cabut kunci rahasia lama' }).click();
    await expect(page.getByText('Kunci rahasia lama tidak berlaku lagi.')).toBeVisible();
    await expect(gateway.getByRole('button', { name: 'Cabut kunci rahasia lama' })).toBeHidden();
    await expectNoViolations(page, '[role=dialog]');
  });

  await test.step('nothing came of it yet', async () => {
    const gateway = drawer(name);
    await gateway.getByRole('tab', { name: 'Pesan terakhir' }).click();
    await expect(gateway.getByText('Belum ada pesan')).toBeVisible();
    await expect(gateway.getByText(`nats req gps.${name}.<imei>`)).toBeVisible();
    await gateway.getByRole('tab', { name: 'Sambungan' }).click();
    await expect(gateway.getByText('Tidak ada sambungan')).toBeVisible();
    await expectNoViolations(page, '[role=dialog]');
  });

  await test.step('it is switched off, which is asked first', async () => {
    const gateway = drawer(name);
    await gateway.getByRole('tab', { name: 'Pengaturan' }).click();
    await gateway.getByRole('switch', { name: 'Boleh tersambung' }).uncheck();
    await gateway.getByRole('button', { name: 'Simpan perubahan' }).click();
    const question = drawer(`Nonaktifkan ${name}?`);
    await expect(question.getByText('diputus dalam lima detik')).toBeVisible();
    await question.getByRole('button', { name: 'Simpan' }).click();
    await expect(gateway).toBeHidden();
    await expect(row).toContainText('Nonaktif');
  });

  await test.step('it is deleted, after its name', async () => {
    await page.getByRole('button', { name, exact: true }).click();
    await drawer(name).getByRole('button', { name: 'Hapus', exact: true }).click();
    const question = drawer(`Hapus ${name}?`);
    await question.getByRole('textbox').fill(name);
    await question.getByRole('button', { name: 'Hapus', exact: true }).click();
    await expect(page.getByText('Gateway berhasil dihapus.')).toBeVisible();
    await expect(row).toHaveCount(0);
  });
});

test('a message of a tracker that nobody has leads to its device', async ({ page, armada }) => {
  const imei = newImei();
  const drawer = (title: string) => page.getByRole('dialog', { name: title, exact: true });
  await enter(page, '/gateways?q=local');
  await page.getByRole('button', { name: 'local', exact: true }).click();
  const gateway = drawer('local');
  await expect(gateway.getByText('tersambung tanpa nama')).toBeVisible();
  await expect(gateway.getByRole('button', { name: 'Hapus', exact: true })).toBeHidden();
  await gateway.getByRole('tab', { name: 'Pesan terakhir' }).click();
  await armada.publish(imei, { lat: -6.2, lng: 106.8, speed: 10 });
  const message = gateway.getByRole('listitem').filter({ hasText: imei }).first();
  await expect(message).toContainText('Disimpan: 1');
  await expectNoViolations(page, '[role=dialog]');
  await message.getByRole('button', { name: `Daftarkan perangkat ${imei}` }).click();
  await expect(drawer('Perangkat baru').getByRole('textbox', { name: /^IMEI/ })).toHaveValue(imei);
});
