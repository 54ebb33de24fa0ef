import { expect, test } from './armada';
import { newFleet, trucks } from './fleet';
import { signIn } from './steps';

test('a device is opened as a page, and shows what it sent, what was refused among it', async ({ page, armada }) => {
  const { tenantId, devices } = await newFleet(armada, 'Armada halaman', trucks(2));
  const [truck = { id: '', name: '', imei: '' }] = devices;
  await signIn(page, `/devices?tenant_id=${tenantId}&q=Truk`);

  await test.step('from its drawer', async () => {
    await page.getByRole('button', { name: truck.name, exact: true }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Buka halaman penuh' }).click();
    await expect(page.getByRole('heading', { level: 1, name: truck.name })).toBeVisible();
    await expect(page).toHaveURL(`${armada.url}/devices/${truck.id}`);
    // Before it stands how many alarms ring, here or in another tenant.
    await expect(page).toHaveTitle(new RegExp(`^(\\(\\d+\\) )?${truck.name} · Armada$`));
    await expect(page.getByText('Belum ada posisi dari perangkat ini.')).toBeVisible();
  });

  await test.step('a fix that is right is live, and one of the messages', async () => {
    await armada.publish(truck.imei, { lat: -6.2, lng: 106.8166, speed: 42 });
    await expect(page.getByRole('region', { name: 'Saat ini' }).getByText('42 km/jam')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Peta jejak hari ini' })).toBeVisible();
    await page.getByRole('tab', { name: 'Pesan' }).click();
    const message = page.getByRole('listitem').filter({ hasText: '42 km/jam' });
    await message.getByText('Diterima').click();
    await expect(message.getByText('-6.2000000, 106.8166000')).toBeVisible();
  });

  await test.step('a fix that is wrong is there as it was received, and why', async () => {
    await expect(armada.publish(truck.imei, { lat: 91, lng: 106.8, speed: 30 })).rejects.toThrow(
      'latitude_out_of_range',
    );
    const message = page.getByRole('listitem').filter({ hasText: 'Ditolak' });
    await expect(message).toContainText('lat');
    await message.getByText('Ditolak').click();
    await expect(message.getByText('"lat":91')).toBeVisible();
    await expect(message.getByText('local', { exact: true })).toBeVisible();
  });

  await test.step('it is the same after a reload, and leads back to the list as it was', async () => {
    const messages = page.getByRole('listitem').filter({ hasText: /Ditolak|Diterima/ });
    await page.getByText('Ditolak', { exact: true }).first().click();
    await expect(messages).toHaveCount(1);
    await page.reload();
    await expect(page.getByRole('radio', { name: 'Ditolak' })).toBeChecked();
    await expect(messages).toHaveCount(1);
    await page.getByRole('link', { name: 'Kembali ke daftar' }).click();
    await expect(page).toHaveURL(new RegExp(`/devices\\?.*tenant_id=${tenantId}`));
    await expect(page.getByLabel(/^Cari nama/)).toHaveValue('Truk');
  });
});
