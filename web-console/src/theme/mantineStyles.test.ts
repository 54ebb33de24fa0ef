import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import list from './mantineStyles.ts?raw';
import base from './mantineSignIn.ts?raw';

const PACKAGES = resolve('node_modules/@mantine');
const SOURCES = import.meta.glob<string>(['/src/**/*.{ts,tsx}', '!/src/**/*.test.*', '!/src/testing/**'], {
  eager: true,
  query: '?raw',
  import: 'default',
});

/** What a source takes from Mantine: package and name. */
function taken(source: string): [pack: string, name: string][] {
  const imports = source.matchAll(/import \{([^}]*)\} from ['"]@mantine\/(core|dates|notifications|spotlight)['"]/g);
  return [...imports].flatMap(([, names = '', pack = '']) =>
    names
      .split(',')
      .map((name) => name.trim().split(' ')[0] ?? '')
      .filter((name) => /^[A-Z]/.test(name))
      .map((name): [string, string] => [pack, name]),
  );
}

/** The style sheets that a component of Mantine, and all that it is made of, have; `found` holds the files seen already. */
function walk(file: string, found: Set<string>): void {
  if (found.has(file) || !existsSync(file)) return;
  found.add(file);
  const source = readFileSync(file, 'utf8');
  for (const [, path = ''] of source.matchAll(/from "(\.[^"]+)"/g)) walk(join(dirname(file), path), found);
  for (const [pack, name] of taken(source)) walk(fileOf(pack, name), found);
}

const fileOf = (pack: string, name: string) => join(PACKAGES, pack, 'esm/components', name, `${name}.mjs`);

describe('the style sheets of Mantine', () => {
  it('are there for whatever the console is made of', () => {
    const found = new Set<string>();
    for (const source of Object.values(SOURCES))
      for (const [pack, name] of taken(source)) walk(fileOf(pack, name), found);
    const needed = [...found]
      .map((file) => /\/core\/esm\/.*\/([A-Za-z]+)\.module\.mjs$/.exec(file)?.[1])
      .filter((name): name is string => name !== undefined);
    expect(needed.length).toBeGreaterThan(30);
    const present = [...(base + list).matchAll(/styles\/(\w+)\.css/g)].map(([, name]) => name);
    expect(present).toEqual(expect.arrayContaining(needed));
  });
});
