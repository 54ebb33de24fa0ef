import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test as base } from '@playwright/test';
import { build, preview } from 'vite';

/** What the server says as well: inline styles and scripts of others are refused. */
const POLICY = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:";

/** Tests that look at the page of all components, in a build that has it and needs no server behind. */
export const test = base.extend<object, { components: string }>({
  components: [
    // Playwright wants the parameter, though it is empty.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const outDir = await mkdtemp(join(tmpdir(), 'armada-components-'));
      const root = resolve(import.meta.dirname, '..');
      await build({ root, mode: 'components', logLevel: 'error', build: { outDir, emptyOutDir: true } });
      const server = await preview({
        root,
        mode: 'components',
        logLevel: 'error',
        build: { outDir },
        preview: { host: '127.0.0.1', port: 0, headers: { 'content-security-policy': POLICY } },
      });
      await use(server.resolvedUrls?.local[0] ?? '');
      await server.close();
      await rm(outDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ components }, use) => use(components),
});

export { expect } from '@playwright/test';
