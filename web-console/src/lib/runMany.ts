/** What came of doing one thing to many rows. */
export interface RunManyResult<T> {
  done: T[];
  failed: { row: T; error: unknown }[];
  /** Not tried any more: somebody stopped it. */
  untried: T[];
}

/** How many calls are under way at once. */
const AT_ONCE = 4;

/** Does one thing to each row; a row that fails does not hold up the others. */
export async function runMany<T>(
  rows: T[],
  act: (row: T) => Promise<{ error?: unknown }>,
  options: { signal: AbortSignal; onProgress: (finished: number) => void },
): Promise<RunManyResult<T>> {
  const waiting = [...rows];
  const result: RunManyResult<T> = { done: [], failed: [], untried: waiting };
  const work = async () => {
    while (!options.signal.aborted) {
      const row = waiting.shift();
      if (row === undefined) return;
      const { error } = await act(row);
      if (error === undefined) result.done.push(row);
      else result.failed.push({ row, error });
      options.onProgress(result.done.length + result.failed.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return result;
}
