const waiting = new Set<() => void>();

/** Tells everybody who waits that the session is another one now, or none. */
export function sessionChanged(): void {
  const woken = [...waiting];
  waiting.clear();
  for (const wake of woken) wake();
}

/** Resolves at the next change of the session, or when nobody wants the answer any more. */
export function nextSessionChange(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      waiting.delete(done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    if (signal.aborted) return resolve();
    waiting.add(done);
    signal.addEventListener('abort', done);
  });
}
