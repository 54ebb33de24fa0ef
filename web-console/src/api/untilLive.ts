/** A socket that takes longer is not waited for. */
const AT_MOST_MS = 2_000;

/** What live messages renew. */
const RENEWED = /^\/api\/v1\/(alarms|events)\b/;

/** The first connection is ahead, and nothing of what it renews has been asked for yet. */
let isAhead = false;
let waiting: Promise<void> | null = null;
let go = () => undefined as void;

/**
 * When the console begins, what live messages renew is asked for once the socket is there: an answer of before could miss
 * what happened between the two, and would have to be asked for again.
 */
export function expectLive(): void {
  isAhead = true;
  waiting = null;
}

/** The socket is there, or failed. True when nothing of what it renews was asked for before. */
export function endWaitForLive(): boolean {
  const wasAhead = isAhead;
  isAhead = false;
  go();
  return wasAhead;
}

/** Comes back when this may be asked for. */
export async function untilLive(url: string): Promise<void> {
  if (!isAhead || !RENEWED.test(url)) return;
  waiting ??= new Promise<void>((resolve) => {
    go = resolve;
    setTimeout(endWaitForLive, AT_MOST_MS);
  });
  await waiting;
}
