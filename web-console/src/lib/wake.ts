/** How often the clock is looked at. */
const TICK_MS = 5_000;
/** When this much more has passed than a tick, the machine was asleep. */
const SLEEP_GAP_MS = 10_000;

/** What happened: somebody looks at the page again, the network is back, or the machine has slept. */
export type Wake = 'shown' | 'online' | 'slept';

/**
 * Calls the listener whenever what was put off by timers may be overdue: timers stand still while a laptop sleeps, and a
 * lid that is opened over a visible page gives no event at all, only a clock that has jumped. Returns what stops it.
 */
export function onDeviceWake(listener: (wake: Wake) => void): () => void {
  const onShow = () => {
    if (document.visibilityState === 'visible') listener('shown');
  };
  const onOnline = () => listener('online');
  let last = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    const late = now - last - TICK_MS;
    last = now;
    // Timers of a hidden page are late without any sleep.
    if (late > SLEEP_GAP_MS && document.visibilityState === 'visible') listener('slept');
  }, TICK_MS);
  document.addEventListener('visibilitychange', onShow);
  window.addEventListener('pageshow', onShow);
  // Chromium tells that a frozen page goes on.
  document.addEventListener('resume', onShow);
  window.addEventListener('online', onOnline);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onShow);
    window.removeEventListener('pageshow', onShow);
    document.removeEventListener('resume', onShow);
    window.removeEventListener('online', onOnline);
  };
}
