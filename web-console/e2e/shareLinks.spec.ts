import { expect, test } from './armada';
import { enter, makeAdmin } from './accounts';
import { expectNoViolations, refusals } from './axe';
import { newFleet } from './fleet';
import { VIEWPORTS } from './sizes';

const [, PHONE] = VIEWPORTS;

test('a link shows a vehicle to who has no account, until it is revoked', async ({
  page,
  request,
  armada,
  browser,
}) => {
  const { tenantId, devices } = await newFleet(armada, 'Angkutan Berbagi', [{ name: 'Truk 7' }]);
  const imei = devices[0]?.imei ?? '';
  const admin = await makeAdmin(request, armada, 'Ratna', tenantId);
  await enter(page, '/devices', admin);
  const drive = (lat: number, speed: number) => armada.publish(imei, { lat, lng: 106.8, speed, course: 90 });

  const address = await test.step('it is made in the drawer of the vehicle, with a PIN', async () => {
    await page.getByRole('button', { name: 'Truk 7' }).click();
    const device = page.getByRole('dialog', { name: 'Truk 7' });
    await device.getByRole('tab', { name: 'Lainnya' }).click();
    await device.getByRole('tab', { name: 'Tautan berbagi' }).click();
    await expect(device.getByText('Tidak ada tautan yang berlaku.')).toBeVisible();
    await device.getByRole('button', { name: 'Bagikan' }).click();
    const form = page.getByRole('dialog', { name: 'Tautan berbagi baru' });
    await form.getByLabel('Nama').fill('Untuk penerima');
    await form.getByLabel('PIN').fill('4821');
    await form.getByRole('button', { name: '4 jam' }).click();
    await expectNoViolations(page, '[role=dialog]');
    await form.getByRole('button', { name: 'Tambah tautan berbagi' }).click();
    const shown = page.getByRole('dialog', { name: 'Tautan Untuk penerima' });
    const made = await shown.getByRole('textbox', { name: 'Alamat' }).inputValue();
    await shown.getByRole('button', { name: 'Selesai' }).click();
    return made;
  });
  expect(address).toMatch(new RegExp(`^${armada.url}/share#[\\w-]{43}$`));

  const context = await browser.newContext({ viewport: PHONE, locale: 'id-ID' });
  const visitor = await context.newPage();
  const refused = refusals(visitor);
  const wire: string[] = [];
  visitor.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => wire.push(String(payload))));

  await test.step('a visitor says the PIN and sees the vehicle move', async () => {
    await visitor.goto(address);
    await visitor.getByLabel('PIN').fill('0000');
    await visitor.getByRole('button', { name: 'Buka' }).click();
    await expect(visitor.getByRole('alert')).toHaveText('PIN ini salah.');
    await expectNoViolations(visitor);
    await visitor.getByLabel('PIN').fill('4821');
    await visitor.getByRole('button', { name: 'Buka' }).click();
    await expect(visitor.getByText('Belum ada posisi')).toBeVisible();
    await drive(-6.2, 41);
    await expect(visitor.getByTestId('speed')).toHaveText('41 km/jam');
    await drive(-6.21, 53);
    await expect(visitor.getByTestId('speed')).toHaveText('53 km/jam');
    await expect(visitor.getByTitle('Truk 7')).toBeInViewport();
    await expectNoViolations(visitor);
    const messages = wire.join('\n');
    for (const secret of [imei, tenantId, devices[0]?.id ?? '', admin.id]) expect(messages).not.toContain(secret);
  });

  await test.step('who loads the page again is asked nothing', async () => {
    await visitor.reload();
    await expect(visitor.getByTestId('speed')).toHaveText('53 km/jam');
  });

  await test.step('it is revoked, and the page says so', async () => {
    await page.goto('/share-links');
    const row = page.getByRole('row').filter({ hasText: 'Untuk penerima' });
    await expect(row.getByRole('cell', { name: '1', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Untuk penerima' }).click();
    const drawer = page.getByRole('dialog', { name: 'Untuk penerima' });
    await drawer.getByRole('button', { name: 'Cabut tautan' }).click();
    await page
      .getByRole('dialog', { name: 'Cabut Untuk penerima?' })
      .getByRole('button', { name: 'Cabut tautan' })
      .click();
    await expect(visitor.getByRole('heading', { name: 'Tautan ini sudah dicabut' })).toBeVisible();
    await expectNoViolations(visitor);
  });
  expect(refused).toEqual([]);
  await context.close();
});
