import L from 'leaflet';
import { useEffect, useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useMap } from 'react-leaflet';
import { liveStore } from '@/live/liveStore';
import type { LivePosition } from '@/live/position';
import { latOf, lngOf } from './engine/mercator';
import { Scene, type Placement } from './engine/scene';
import classes from './FleetMap.module.css';

/** Follows one vehicle as it is drawn, gliding and all, and keeps `children` above it. */
export function VehicleCallout({ deviceId, children }: { deviceId: string; children: ReactNode }) {
  const map = useMap();
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    L.DomEvent.disableClickPropagation(element);
    L.DomEvent.disableScrollPropagation(element);
    const scene = new Scene();
    const at: Placement = { x: 0, y: 0, heading: 0 };
    let frame = 0;

    const place = () => {
      frame = 0;
      if (scene.size === 0) return;
      const now = performance.now();
      scene.place(0, now, at);
      const point = map.latLngToContainerPoint([latOf(at.y), lngOf(at.x)]);
      element.style.transform = `translate(${point.x}px, ${point.y}px) translate(-50%, -100%)`;
      element.style.visibility = 'visible';
      if (scene.isGliding(0, now)) request();
    };
    const request = () => {
      if (frame === 0) frame = requestAnimationFrame(place);
    };
    const take = (position: LivePosition) => {
      scene.update({ ...position, id: deviceId, heading: position.course, state: 'parked' }, performance.now());
      request();
    };
    const hide = () => {
      element.style.visibility = 'hidden';
    };

    const known = liveStore.get(deviceId);
    if (known) take(known);
    const stop = liveStore.feed((batch) => {
      const own = batch.find((position) => position.deviceId === deviceId);
      if (own) take(own);
    });
    map.on('move', request).on('zoomstart', hide).on('zoomend', request);
    return () => {
      stop();
      map.off('move', request).off('zoomstart', hide).off('zoomend', request);
      cancelAnimationFrame(frame);
    };
  }, [map, deviceId]);

  return createPortal(
    <div ref={box} className={classes.callout}>
      {children}
    </div>,
    map.getContainer(),
  );
}
