import L from 'leaflet';
import { useEffect, useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useMap } from 'react-leaflet';
import { latOf, lngOf } from '@/lib/mercator';
import { live } from '@/live/live';
import { Glider } from './glider';
import classes from './FleetMap.module.css';

/** Keeps `children` above the selected vehicle as it is drawn, gliding and all. */
export function VehicleCallout({ deviceId, children }: { deviceId: string; children: ReactNode }) {
  const map = useMap();
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    L.DomEvent.disableClickPropagation(element);
    L.DomEvent.disableScrollPropagation(element);
    const glider = new Glider((x, y) => {
      const point = map.latLngToContainerPoint([latOf(y), lngOf(x)]);
      element.style.transform = `translate(${point.x}px, ${point.y}px) translate(-50%, -100%)`;
      element.style.visibility = 'visible';
    });
    const again = () => glider.again();
    const hide = () => {
      element.style.visibility = 'hidden';
    };
    const stop = live.onGlide((glide) => {
      if (glide.id === deviceId) glider.follow(glide);
    });
    map.on('move', again).on('zoomstart', hide).on('zoomend', again);
    return () => {
      stop();
      map.off('move', again).off('zoomstart', hide).off('zoomend', again);
      glider.stop();
    };
  }, [map, deviceId]);

  return createPortal(
    <div ref={box} className={classes.callout}>
      {children}
    </div>,
    map.getContainer(),
  );
}
