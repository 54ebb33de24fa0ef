import { useEffect, useRef, useState, type RefObject } from 'react';
import { useLiveDevice } from '@/live/useLive';
import type { MapControls } from '@/map/FleetMap';

/**
 * The map goes to a vehicle once, and then stays where somebody wants it: to the one that is selected at the start, and to each
 * that is named. Not before that one is selected and the panels have made room, for the map goes to the middle of what they
 * leave free; and not before it is known where the vehicle is, for a link to one may come first. Where there is no such vehicle
 * it shows all that there are.
 */
export function useDestination(
  selected: string | null,
  controls: RefObject<MapControls | null>,
  ready: boolean,
): (deviceId: string) => void {
  const [destination, setDestination] = useState(selected === null ? null : { deviceId: selected });
  const reached = useRef<typeof destination>(null);
  const device = useLiveDevice(selected);
  const place = device?.position;
  const isGone = selected !== null && device === null;
  useEffect(() => {
    if (!ready || !destination || reached.current === destination) return;
    if (isGone && destination.deviceId === selected) controls.current?.fitAll();
    else if (!place || place.deviceId !== destination.deviceId) return;
    else controls.current?.flyTo([place.lat, place.lng]);
    reached.current = destination;
  }, [ready, destination, place, isGone, selected, controls]);
  return (deviceId) => setDestination({ deviceId });
}
