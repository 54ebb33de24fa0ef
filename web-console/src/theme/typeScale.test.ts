import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** 12, 14, 16, 20 and 28 pixels, and what follows what stands around. */
const SCALE = /^(0\.75|0\.875|1|1\.25|1\.75)rem$|^inherit$|^var\(--mantine-font-size-(xs|sm|md|lg|xl)\)$/;
/** Over a map every pixel counts. */
const MAPS = /^(map|features\/maps)\//;

const SOURCES = join(import.meta.dirname, '..');
const sheets = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.css') && !MAPS.test(path),
);

it('no style sheet has a size of type of its own', () => {
  const own = sheets.flatMap((path) =>
    [...readFileSync(join(SOURCES, path), 'utf8').matchAll(/font-size:\s*([^;]+);/g)].flatMap(([, size = '']) =>
      SCALE.test(size) ? [] : `${path}: ${size}`,
    ),
  );
  expect(sheets.length).toBeGreaterThan(50);
  expect(own).toEqual([]);
});
