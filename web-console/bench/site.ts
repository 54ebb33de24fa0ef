/** The program that a measurement has started. */

export const URL = setting('ARMADA_BENCH_URL');
export const METRICS = setting('ARMADA_BENCH_METRICS');
/** The data folder of the program. */
export const FOLDER = setting('ARMADA_BENCH_FOLDER');
export const ACCOUNT = { email: setting('ARMADA_BENCH_EMAIL'), password: setting('ARMADA_BENCH_PASSWORD') };

/** What the measurement wants; it fails when it says nothing. */
export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run it by: armada-bench`);
  return value;
}
