import L from 'leaflet';
import { useEffect, useRef } from 'react';
import { useMap } from 'react-leaflet';
import { latOf, lngOf } from '@/lib/mercator';
import { live } from '@/live/live';
import { CLOSE_ZOOM, isInFree, paddingOf } from './centre';
import type { MapInset } from './FleetMap';
import { fitArea } from './leafletParts';
import { prefersReducedMotion } from './reducedMotion';

/** The map moves at most this often. */
const STEP_MS = 1_000;

interface FollowVehiclesProps {
  deviceIds: string[];
  inset: MapInset;
  onEnd: () => void;
}

/** Keeps several vehicles in what panels leave free: the map moves when one of them leaves it, until somebody drags the map. */
export function FollowVehicles({ deviceIds, inset, onEnd }: FollowVehiclesProps) {
  const map = useMap();
  const covered = useRef(inset);
  const end = useRef(onEnd);
  useEffect(() => {
    covered.current = inset;
    end.current = onEnd;
  }, [inset, onEnd]);

  const followed = deviceIds.join();
  useEffect(() => {
    const places = new Map<string, L.LatLng>();
    let later: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      if (places.size === 0) return;
      const animate = !prefersReducedMotion();
      fitArea(map, areaOf(places), { ...paddingOf(covered.current), maxZoom: CLOSE_ZOOM, animate });
    };
    const look = () => {
      later = undefined;
      if (!isInFree(map, areaOf(places), covered.current)) show();
    };
    const ids = followed.split(',');
    const stop = live.onGlide(({ id, toX, toY }) => {
      if (!ids.includes(id)) return;
      places.set(id, L.latLng(latOf(toY), lngOf(toX)));
      later ??= setTimeout(look, STEP_MS);
    });
    show();
    const cancel = () => end.current();
    map.on('dragstart', cancel);
    return () => {
      stop();
      map.off('dragstart', cancel);
      clearTimeout(later);
    };
  }, [map, followed]);
  return null;
}

const areaOf = (places: ReadonlyMap<string, L.LatLng>) => L.latLngBounds([...places.values()]);
