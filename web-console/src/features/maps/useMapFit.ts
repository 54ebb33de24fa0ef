import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { live } from '@/live/live';
import type { MapControls } from '@/map/FleetMap';

interface MapFit {
  chosen: string[];
  /** Whether the map is narrowed to groups, and whether it is known who is in them. */
  hasGroups: boolean;
  knowsGroups: boolean;
  controls: RefObject<MapControls | null>;
  ready: boolean;
}

/**
 * Shows several vehicles at once: those that are chosen at the start, or the groups to which the map is narrowed then; and with
 * what it returns, those that are chosen next.
 */
export function useMapFit({ chosen, hasGroups, knowsGroups, controls, ready }: MapFit): () => void {
  const [atStart] = useState({ chosen, hasGroups });
  const wanted = useRef(false);
  useEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    if (chosen.length > 1) controls.current?.fitVehicles(chosen);
  }, [chosen, controls]);

  useEffect(() => {
    if (!ready || atStart.chosen.length < 2) return;
    return live.onceSettled(() => controls.current?.fitVehicles(atStart.chosen));
  }, [ready, atStart, controls]);
  useEffect(() => {
    // Without them there was nothing to be shown at the start.
    if (!ready || !knowsGroups || !atStart.hasGroups || atStart.chosen.length > 0) return;
    return live.onceSettled(() => controls.current?.fitAll());
  }, [ready, knowsGroups, atStart, controls]);
  return useCallback(() => void (wanted.current = true), []);
}
