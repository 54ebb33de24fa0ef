/** A time in which nothing happens, milliseconds since 1970. */
export interface Span {
  from: number;
  to: number;
}

/** Times real time. */
export const RATES = [1, 5, 10, 30, 60, 120, 300] as const;
/** A frame that comes later, since the page was hidden, is no longer than this. */
const FRAME_MAX_MS = 250;

/**
 * The clock of a playback: a true one, so many times as fast. It tells each frame to whoever draws, and passes over what it
 * is told to skip.
 */
export class PlaybackClock {
  private at: number;
  private span: Span;
  private skipped: readonly Span[] = [];
  private frame = 0;
  private last = 0;
  private rate = 1;
  private readonly listeners = new Set<() => void>();
  constructor(span: Span) {
    this.span = span;
    this.at = span.from;
  }

  /** Milliseconds since 1970. */
  get now(): number {
    return this.at;
  }

  /** Whether it goes. */
  get playing(): boolean {
    return this.frame !== 0;
  }

  /** From when until when it goes. Where it stands outside, it goes to the beginning. */
  setSpan(span: Span): void {
    if (span.from === this.span.from && span.to === this.span.to) return;
    this.span = span;
    if (this.at < span.from || this.at > span.to) this.at = span.from;
    this.notify();
  }

  /** How many times as fast as real time it goes. */
  setRate(rate: number): void {
    this.rate = rate;
  }

  /** What is passed over while it goes, in the order of time. */
  skip(spans: readonly Span[]): void {
    this.skipped = spans;
  }

  /** Calls back whenever the time or whether it goes has changed; returns what ends that. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Goes to an instant. */
  seek(instant: number): void {
    const within = Math.max(this.span.from, Math.min(this.span.to, instant));
    if (within === this.at) return;
    this.at = within;
    this.notify();
  }

  /** Goes on; from the beginning when it has come to the end. */
  play(): void {
    if (this.playing || this.span.to <= this.span.from) return;
    if (this.at >= this.span.to) this.at = this.span.from;
    this.last = performance.now();
    this.frame = requestAnimationFrame((time) => this.step(time));
    this.notify();
  }

  /** Stands. */
  pause(): void {
    if (!this.playing) return;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.notify();
  }

  /** So much real time has gone by, in milliseconds. */
  advance(elapsed: number): void {
    const next = this.at + Math.max(0, Math.min(FRAME_MAX_MS, elapsed)) * this.rate;
    const skipped = this.skipped.find(({ from, to }) => from <= next && next < to);
    this.at = Math.min(this.span.to, skipped ? skipped.to : next);
  }

  private step(time: number): void {
    this.advance(time - this.last);
    this.last = time;
    this.frame = this.at < this.span.to ? requestAnimationFrame((next) => this.step(next)) : 0;
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

/** The times that are in all of these lists, each of which is in the order of time. */
export function inAll(lists: readonly (readonly Span[])[]): Span[] {
  const [first = [], ...others] = lists;
  return others.reduce<Span[]>(
    (shared, other) =>
      shared.flatMap((one) =>
        other.flatMap((two) => {
          const both = { from: Math.max(one.from, two.from), to: Math.min(one.to, two.to) };
          return both.from < both.to ? [both] : [];
        }),
      ),
    [...first],
  );
}
