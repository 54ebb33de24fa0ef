import { useSyncExternalStore } from 'react';
import { liveStore } from './liveStore';
import type { LivePosition } from './position';

/** The newest position of a device, redrawn at most four times a second. */
export function useLivePosition(deviceId: string): LivePosition | undefined {
  return useSyncExternalStore(liveStore.subscribe, () => liveStore.get(deviceId));
}

/** Grows whenever some position has changed, at most four times a second. */
export function useLiveVersion(): number {
  return useSyncExternalStore(liveStore.subscribe, liveStore.version);
}
