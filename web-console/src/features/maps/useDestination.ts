import { useEffect, useRef, useState, type RefObject } from 'react';
import { useLiveDevice } from '@/live/useLive';
import type { MapControls } from '@/map/FleetMap';

/**
 * The map goes to a vehicle once, and then stays where somebody wants it: to the one that is selected at the start, and to each
 * that is named. Not before that one is selected and the panels have made room, for the map goes to the middle of what they
 * leave free; and not before it is known where the vehicle is, for a link to one may come first.
 */
export function useDestination(
  selected: string | null,
  controls: RefObject<MapControls | null>,
  ready: boolean,
): (deviceId: string) => void {
  const [destination, setDestination] = useState(selected === null ? null : { deviceId: selected });
  const reached = useRef<typeof destination>(null);
  const place = useLiveDevice(selected)?.position;
  useEffect(() => {
    if (!ready || !destination || reached.current === destination) return;
    if (!place || place.deviceId !== destination.deviceId) return;
    controls.current?.flyTo([place.lat, place.lng]);
    reached.current = destination;
  }, [ready, destination, place, controls]);
  return (deviceId) => setDestination({ deviceId });
}
