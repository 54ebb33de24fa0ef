import { expect, it } from 'vitest';
import { PAGE_KEYS, RESOURCE_ENTRIES, SCREENS } from './registry';

it('has one page for a key', () => {
  const listed = RESOURCE_ENTRIES.flatMap(([, { place }]) => place?.key ?? []);
  const keys = [...listed, ...SCREENS.map(({ key }) => key), ...Object.values(PAGE_KEYS)];
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});
