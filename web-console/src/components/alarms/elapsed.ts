const HOUR_S = 3_600;

/** How long an alarm stands: to the second while that counts, and then as any other length of time. */
export function runningTime(firstAt: string, now: number, duration: (seconds: number) => string): string {
  // Clocks differ a little.
  const seconds = Math.max(0, Math.floor((now - Date.parse(firstAt)) / 1_000));
  if (seconds >= HOUR_S) return duration(seconds);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
