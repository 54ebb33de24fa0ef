import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Packages of many files, which tests load in one file each. */
const SHARED = ['core', 'hooks', 'dates', 'notifications', 'spotlight']
  .map((name) => `@mantine/${name}`)
  .concat('@tabler/icons-react');
/** Tests of what needs no page. */
const PURE = [
  'src/{map,live/worker}/**/*.test.ts',
  'src/features/{account,audit,rejections}/*.test.ts',
  'src/features/roles/{matrix,permissionForm}.test.ts',
  'src/i18n/{days,format}.test.ts',
  'src/lib/{imei,mercator,money,passwordStrength}.test.ts',
  'src/live/{closeCodes,motion,reconnect}.test.ts',
];

const backend = `http://${process.env.ARMADA_HTTP_ADDR ?? '127.0.0.1:8080'}`;

/** The page of share links at the address that it has behind the edge. */
const sharePage: Plugin = {
  name: 'share-page',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      if (request.url?.split('?')[0] === '/share') request.url = '/share.html';
      next();
    });
  },
};

export default defineConfig(({ command, mode }) => ({
  plugins: [react(), sharePage],
  define: {
    // The component page is no part of what users get.
    __COMPONENT_PAGE__: JSON.stringify(command === 'serve' || mode === 'components'),
  },
  resolve: {
    alias: [
      { find: '@', replacement: fileURLToPath(new URL('./src', import.meta.url)) },
      // The package names its development build to every bundler; the other one leaves out what only developers read.
      ...(command === 'build'
        ? [
            { find: /^react-router$/, replacement: 'react-router/dist/production/index.mjs' },
            { find: /^react-router\/dom$/, replacement: 'react-router/dist/production/dom-export.mjs' },
          ].map(({ find, replacement }) => ({
            find,
            replacement: fileURLToPath(new URL(`./node_modules/${replacement}`, import.meta.url)),
          }))
        : []),
    ],
  },
  server: {
    port: 5173,
    // A test reads the contract.
    fs: { allow: ['.', '../proto'] },
    proxy: {
      '/api': backend,
      '/auth/login': { target: backend, bypass: (request) => (request.method === 'POST' ? undefined : '/index.html') },
      '/auth/refresh': backend,
      '/auth/logout': backend,
      '/ws': { target: backend, ws: true },
    },
  },
  build: {
    target: 'baseline-widely-available',
    // Nothing becomes a data: address, so that the content security policy can stay strict.
    assetsInlineLimit: 0,
    // The bundle budgets are counted from it.
    manifest: true,
    // Who opens a share link has no account, and gets a page of its own instead of the console.
    rolldownOptions: { input: ['index.html', 'share.html'] },
    reportCompressedSize: true,
  },
  worker: { format: 'es' },
  // A sample of the server's bytes, which a test reads.
  assetsInclude: ['**/*.sample.bin'],
  test: {
    // While a test waits, each look that finds nothing would print the whole page: DEBUG_PRINT_LIMIT=7000 brings it back.
    env: { TZ: 'UTC', DEBUG_PRINT_LIMIT: process.env.DEBUG_PRINT_LIMIT ?? '0' },
    css: false,
    restoreMocks: true,
    testTimeout: 30_000,
    // The default leaves one processor to whoever waits for the tests.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: { name: 'pure', environment: 'node', include: PURE },
      },
      {
        extends: true,
        test: {
          name: 'screens',
          environment: 'jsdom',
          // One page for all files of a worker: to make one for each, and to load everything into it, is a third of the time.
          isolate: false,
          environmentOptions: { jsdom: { url: 'http://console.test/' } },
          setupFiles: ['src/testing/setup.ts'],
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: PURE,
          deps: { optimizer: { client: { enabled: true, include: SHARED } } },
        },
      },
    ],
  },
}));
