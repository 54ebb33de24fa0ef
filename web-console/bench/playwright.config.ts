import { defineConfig } from '@playwright/test';
import base from '../playwright.config';

const launch = base.use?.launchOptions;

/** Measurements, started by `armada-bench console` with vehicles that report meanwhile. */
export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: '*.bench.ts',
  timeout: 300_000,
  reporter: 'line',
  outputDir: '../test-results/bench',
  use: {
    ...base.use,
    trace: 'off',
    viewport: { width: 1440, height: 900 },
    // Code that runs for minutes is optimised, as it is for people.
    launchOptions: { ...launch, args: launch?.args?.filter((arg) => !arg.startsWith('--js-flags')) },
  },
});
