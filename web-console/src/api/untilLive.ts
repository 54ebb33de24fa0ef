/** A socket that takes longer is not waited for. */
const AT_MOST_MS = 1_000;

/** What live messages renew. */
const RENEWED = /^\/api\/v1\/(alarms|events)\b/;

let waiting: Promise<void> | null = null;
let open = () => undefined as void;

/**
 * When the console begins, what live messages renew is asked for once the socket is there: an answer of before could miss
 * what happened between the two, and would have to be asked for again.
 */
export function waitForLive(): void {
  waiting = new Promise<void>((resolve) => {
    open = resolve;
    setTimeout(resolve, AT_MOST_MS);
  }).then(() => {
    waiting = null;
  });
}

/** The socket is there. True when nothing of what it renews was asked for before. */
export function liveIsThere(): boolean {
  const nothingAsked = waiting !== null;
  open();
  return nothingAsked;
}

/** Comes back when this may be asked for. */
export async function untilLive(url: string): Promise<void> {
  if (waiting && RENEWED.test(url)) await waiting;
}
