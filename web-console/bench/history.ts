import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { resolve } from 'node:path';

const HISTORY = resolve(import.meta.dirname, '../../docs/BENCHMARKS.md');

/** Adds a line to the table of the history whose head begins so: today, this machine, and what was measured. */
export async function remember(table: string, measured: string[]): Promise<void> {
  const lines = (await readFile(HISTORY, 'utf8')).split('\n');
  const head = lines.findIndex((line) => line.startsWith(table));
  if (head < 0) throw new Error(`${HISTORY} has no table that begins with ${table}`);
  const end = lines.findIndex((line, index) => index > head && !line.startsWith('|'));
  const today = new Date().toISOString().slice(0, 10);
  const machine = `${cpus()[0]?.model ?? 'CPU'}, ${cpus().length} cores`;
  lines.splice(end < 0 ? lines.length : end, 0, `| ${[today, machine, ...measured].join(' | ')} |`);
  await writeFile(HISTORY, lines.join('\n'));
}
