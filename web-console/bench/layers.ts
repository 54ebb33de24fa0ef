import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { landFile } from '../e2e/pmtiles';
import { STREET_MAP } from './settings';
import { FOLDER, URL } from './site';

/** Vehicles with trails: as many as may be chosen at a time. */
const CHOSEN = 50;
/** The nearest zoom of the file with nothing but land. */
const LAND_ZOOM = 12;

/** Puts a street map into the data folder of the program, which shows it then. */
export async function putStreetMap(): Promise<void> {
  const maps = join(FOLDER, 'maps');
  await mkdir(maps, { recursive: true });
  const file = join(maps, 'Streets.pmtiles');
  if (STREET_MAP) await copyFile(STREET_MAP, file);
  else await writeFile(file, landFile(LAND_ZOOM));
}

/** The path of the map with vehicles chosen, which have trails. */
export async function pathWithTrails(page: Page, token: string): Promise<string> {
  const list = await page.request.get(`${URL}/api/v1/devices?page_size=${CHOSEN}&sort=name`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { items } = (await list.json()) as { items: { id: string }[] };
  return `/maps?device_id=${items.map(({ id }) => id).join(',')}`;
}

/** What lies below the vehicles, in its own words. */
export const attribution = async (page: Page): Promise<string> =>
  (await page.locator('.leaflet-control-attribution').innerText()).replaceAll('|', '/').trim();
