import type { Page } from '@playwright/test';
import { expect, test } from './armada';
import { expectNoViolations, refusals } from './axe';
import { newFleet, trucks, type Fleet } from './fleet';
import { VIEWPORTS } from './sizes';
import { signIn } from './steps';

/** An address on the list of these devices. */
const listed = ({ tenantId }: Fleet, more = '') => `/devices?tenant_id=${tenantId}${more}`;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const dialog = (page: Page) => page.getByRole('dialog');

/** On a phone what is asked for seldom stands behind one button. */
async function unfold(page: Page): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) < 768) await button(page, 'Tindakan lain').click();
}

async function choose(page: Page, ...names: string[]): Promise<void> {
  // By keyboard: on a phone a long press chooses the first one.
  for (const name of names) await page.getByRole('checkbox', { name: `Pilih ${name}` }).press('Space');
  await expect(page.getByRole('toolbar')).toBeVisible();
}

/** What is on or over the list, and how it comes there. */
const STATES: { name: string; more?: string; open: (page: Page) => Promise<void>; wide?: boolean }[] = [
  {
    name: 'nothing found',
    more: '&q=tidak-ada',
    open: (page) => expect(page.getByText('Tidak ada hasil')).toBeVisible(),
  },
  { name: 'rows chosen', open: (page) => choose(page, 'Truk 001', 'Truk 002') },
  {
    name: 'what is done to them',
    open: async (page) => {
      await choose(page, 'Truk 001');
      await page.getByRole('toolbar').getByRole('button', { name: 'Hapus' }).click();
      await expect(dialog(page)).toBeVisible();
    },
  },
  {
    name: 'filters to add',
    open: async (page) => {
      await button(page, 'Tambah filter').click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
  },
  {
    name: 'values of a filter',
    more: '&icon_type=truck&icon_type=bus&icon_type=car',
    open: async (page) => {
      await page.getByRole('combobox', { name: /^Ikon peta/ }).click();
      await expect(page.getByRole('option').first()).toBeVisible();
    },
  },
  {
    name: 'people to filter by',
    open: async (page) => {
      await button(page, 'Tambah filter').click();
      await page.getByRole('menuitem', { name: 'Pengguna' }).click();
      await expect(page.getByPlaceholder('Cari Pengguna')).toBeVisible();
    },
  },
  {
    name: 'columns',
    wide: true,
    open: async (page) => {
      await button(page, 'Kolom dan kerapatan').click();
      await expect(page.getByRole('checkbox', { name: 'IMEI' })).toBeVisible();
    },
  },
  {
    name: 'order on a phone',
    wide: false,
    open: async (page) => {
      await unfold(page);
      await button(page, 'Urutkan').click();
      await expect(page.getByRole('radiogroup', { name: 'Arah urutan' })).toBeVisible();
    },
  },
  {
    name: 'a view to save',
    open: async (page) => {
      await unfold(page);
      await button(page, /^Tampilan tersimpan/).click();
      await page.getByRole('menuitem', { name: 'Simpan tampilan ini' }).click();
      await expect(dialog(page)).toBeVisible();
    },
  },
  {
    name: 'files',
    open: async (page) => {
      await unfold(page);
      await button(page, 'Ekspor').click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
  },
  {
    name: 'a new device, refused',
    more: '&open=new',
    open: async (page) => {
      await dialog(page).getByRole('button', { name: 'Tambah perangkat' }).click();
      await expect(dialog(page).getByText('IMEI dan nama perangkat wajib diisi.')).toBeVisible();
    },
  },
];

/** What is on the page of a device. */
const PAGE_STATES: typeof STATES = [
  { name: 'its page', open: (page) => expect(page.getByRole('heading', { name: 'Saat ini' })).toBeVisible() },
  {
    name: 'its messages',
    more: '?tab=messages',
    open: async (page) => {
      await page.locator('summary').first().click();
      await expect(page.getByText('Pesan seperti saat diterima').first()).toBeVisible();
    },
  },
  {
    name: 'its audit',
    more: '?tab=audit',
    open: (page) => expect(page.getByRole('list', { name: 'Jejak audit' }).getByRole('button').first()).toBeVisible(),
  },
  {
    name: 'its drawer over its page',
    open: async (page) => {
      await button(page, 'Ubah').click();
      await expect(dialog(page).getByLabel('IMEI')).toBeVisible();
    },
  },
];

/** What is on or over an open device. */
const DEVICE_STATES: typeof STATES = [
  {
    name: 'what it does now',
    open: (page) => expect(dialog(page).getByRole('heading', { name: 'Hari ini' })).toBeVisible(),
  },
  {
    name: 'the second tab of its form',
    open: async (page) => {
      await page.getByRole('tab', { name: 'Ubah' }).click();
      await expect(dialog(page).getByLabel('IMEI')).toBeVisible();
      await expectNoViolations(page);
      await page.getByRole('tab', { name: 'Kendaraan' }).click();
    },
  },
  {
    name: 'the question before it is deleted',
    open: async (page) => {
      await page.getByRole('tab', { name: 'Ubah' }).click();
      await dialog(page).getByRole('button', { name: 'Hapus' }).click();
      await expect(page.getByRole('dialog', { name: 'Hapus Truk 001?' })).toBeVisible();
    },
  },
];

test.describe.configure({ timeout: 300_000 });

for (const viewport of VIEWPORTS) {
  test.describe(`${viewport.width}`, () => {
    test.use({ viewport, contextOptions: { reducedMotion: 'reduce' } });
    const wide = viewport.width > 1000;

    test('nothing of the devices keeps anybody out', async ({ page, armada }) => {
      const refused = refusals(page);
      const fleet = await newFleet(armada, `Armada ${viewport.width}`, trucks(6));
      await signIn(page, listed(fleet));
      const first = `&open=${fleet.devices[0]?.id}`;
      const states = [...STATES, ...DEVICE_STATES.map((state) => ({ ...state, more: first }))];
      for (const { name, more, open } of states.filter((state) => state.wide === undefined || state.wide === wide)) {
        await test.step(name, async () => {
          await page.goto(listed(fleet, more));
          await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeAttached();
          await open(page);
          await expectNoViolations(page);
        });
      }
      const [truck] = fleet.devices;
      await armada.publish(truck?.imei ?? '', { lat: -6.2, lng: 106.8, speed: 30 });
      await expect(armada.publish(truck?.imei ?? '', { lat: 91, lng: 106.8, speed: 30 })).rejects.toThrow('latitude');
      for (const { name, more, open } of PAGE_STATES) {
        await test.step(name, async () => {
          await page.goto(`/devices/${truck?.id}${more ?? ''}`);
          await open(page);
          await expectNoViolations(page);
        });
      }
      await test.step('on paper', async () => {
        await page.emulateMedia({ media: 'print' });
        await page.goto(listed(fleet));
        // A phone prints its cards.
        if (wide) await expect(page.getByRole('columnheader', { name: 'Nama' })).toBeVisible();
        await expect(page.getByText('Truk 001')).toBeVisible();
        await expect(page.getByRole('navigation')).toBeHidden();
        await expectNoViolations(page);
      });
      expect(refused).toEqual([]);
    });
  });
}
