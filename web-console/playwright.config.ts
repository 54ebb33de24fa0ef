import { defineConfig } from '@playwright/test';

/** Journeys run against a real armada: each worker has its own, and runs the journeys of a file one after the other. */
export default defineConfig({
  testDir: 'e2e',
  workers: 2,
  fullyParallel: false,
  timeout: 240_000,
  expect: {
    timeout: 40_000,
    // A minor version of the browser may smooth an edge differently; a moved or missing part is far more than this.
    toHaveScreenshot: { animations: 'disabled', caret: 'hide', scale: 'css', threshold: 0.25, maxDiffPixelRatio: 0.01 },
  },
  // One set for all machines: the fonts are bundled.
  snapshotPathTemplate: '{testDir}/__snapshots__/{arg}{ext}',
  reporter: process.env.CI ? [['list'], ['html', { open: 'never' }]] : 'list',
  use: {
    actionTimeout: 40_000,
    locale: 'id-ID',
    timezoneId: 'Asia/Jakarta',
    // Recording costs every journey time: `npm run e2e -- --trace retain-on-failure` keeps it of those that fail.
    trace: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM_BIN ?? '/usr/bin/chromium-headless-shell',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        // Pages live for seconds: to optimise their code, and to begin with a small heap that is cleared again and again, takes a
        // tenth longer.
        '--js-flags=--no-opt --no-maglev --min-semi-space-size=32',
      ],
    },
  },
});
