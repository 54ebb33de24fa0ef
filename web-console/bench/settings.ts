/** What `armada-bench console` has started, and what it wants measured. */

export const URL = setting('ARMADA_BENCH_URL');
export const METRICS = setting('ARMADA_BENCH_METRICS');
/** The data folder of the program. */
export const FOLDER = setting('ARMADA_BENCH_FOLDER');
export const ACCOUNT = { email: setting('ARMADA_BENCH_EMAIL'), password: setting('ARMADA_BENCH_PASSWORD') };
export const DEVICES = Number(setting('ARMADA_BENCH_DEVICES'));
export const SECONDS = Number(setting('ARMADA_BENCH_SECONDS'));
export const RATE = Number(setting('ARMADA_BENCH_RATE'));
/** Minutes in which the heap is looked at; 0 for not at all. */
export const MINUTES = Number(setting('ARMADA_BENCH_MINUTES'));
/** Whether there are trails and a street map, besides names. */
export const LAYERS = setting('ARMADA_BENCH_LAYERS') === 'true';
/** The street map; a file with nothing but land when there is none. */
export const STREET_MAP = process.env.ARMADA_BENCH_STREET_MAP;

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run it with: armada-bench console`);
  return value;
}
