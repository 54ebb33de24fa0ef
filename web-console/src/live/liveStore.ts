import { withChange, type LivePosition, type PositionChange } from './position';
import { VEHICLE_STATES, vehicleState, type VehicleState } from './vehicleState';

/** Rows and counts are redrawn at most four times a second. */
export const NOTIFY_INTERVAL_MS = 250;
/** The map gets what changed in batches this far apart. */
export const FEED_INTERVAL_MS = 100;

/** Receives what changed; after `reset` it is everything there is, and what was known before is gone. */
export type Feed = (batch: LivePosition[], reset: boolean) => void;

/** How many vehicles are in each state. */
export type StateCounts = Record<VehicleState, number>;

/**
 * The newest position of every device. It is kept out of Redux, which could not follow thousands of changes a second;
 * components read it through `useSyncExternalStore`, the map takes batches.
 */
export class LiveStore {
  private positions = new Map<string, LivePosition>();
  private listeners = new Set<() => void>();
  private feeds = new Set<Feed>();
  private lost = false;
  private changed = new Map<string, LivePosition>();
  private notifyTimer: ReturnType<typeof setTimeout> | undefined;
  private feedTimer: ReturnType<typeof setTimeout> | undefined;
  private currentVersion = 0;

  /** Takes a change in, unless something newer is known. Returns whether it was taken. */
  apply(change: PositionChange): boolean {
    const known = this.positions.get(change.deviceId);
    if (known && change.recordedAt < known.recordedAt) return false;
    const next = withChange(known, change);
    this.positions.set(change.deviceId, next);
    this.changed.set(change.deviceId, next);
    this.schedule();
    return true;
  }

  /** Forgets everything: another person looks now. */
  clear(): void {
    this.positions.clear();
    this.lost = true;
    this.schedule();
  }

  /** Forgets a device that is no more. */
  forget(deviceId: string): void {
    if (!this.positions.delete(deviceId)) return;
    this.lost = true;
    this.schedule();
  }

  /** The newest position of a device; the same object until it changes. */
  get(deviceId: string): LivePosition | undefined {
    return this.positions.get(deviceId);
  }

  /** Every position, in no order. */
  all(): IterableIterator<LivePosition> {
    return this.positions.values();
  }

  /** Grows with every notification. */
  version = (): number => this.currentVersion;

  /** Calls back at most every 250 ms while something changes. Returns what ends it. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Hands over what changed, every 100 ms. Returns what ends it. */
  feed(receive: Feed): () => void {
    this.feeds.add(receive);
    return () => this.feeds.delete(receive);
  }

  private schedule(): void {
    this.notifyTimer ??= setTimeout(() => {
      this.notifyTimer = undefined;
      this.currentVersion += 1;
      for (const listener of this.listeners) listener();
    }, NOTIFY_INTERVAL_MS);
    this.feedTimer ??= setTimeout(() => {
      this.feedTimer = undefined;
      const reset = this.lost;
      const batch = [...(reset ? this.positions : this.changed).values()];
      this.lost = false;
      this.changed.clear();
      for (const receive of this.feeds) receive(batch, reset);
    }, FEED_INTERVAL_MS);
  }
}

/** Counts these devices by state. */
export function countStates(store: LiveStore, deviceIds: Iterable<string>, now: number): StateCounts {
  const counts = Object.fromEntries(VEHICLE_STATES.map((state) => [state, 0])) as StateCounts;
  for (const id of deviceIds) counts[vehicleState(store.get(id), now)] += 1;
  return counts;
}

/** The one store of this page. */
export const liveStore = new LiveStore();
