import { setting } from './site';

/** What `armada-bench console` wants measured. */

export const DEVICES = Number(setting('ARMADA_BENCH_DEVICES'));
export const SECONDS = Number(setting('ARMADA_BENCH_SECONDS'));
export const RATE = Number(setting('ARMADA_BENCH_RATE'));
/** Minutes in which the heap is looked at; 0 for not at all. */
export const MINUTES = Number(setting('ARMADA_BENCH_MINUTES'));
/** Whether there are trails and a street map, besides names. */
export const LAYERS = setting('ARMADA_BENCH_LAYERS') === 'true';
/** The street map; a file with nothing but land when there is none. */
export const STREET_MAP = process.env.ARMADA_BENCH_STREET_MAP;
