import L from 'leaflet';
import { useEffect } from 'react';
import { useMap } from 'react-leaflet';
import type { LeafletVehicleLayer } from './leafletVehicleLayer';
import classes from './FleetMap.module.css';

/** Tells the mouse what can be clicked on the canvas, and the name of the vehicle below it. */
export function useVehicleHint(layer: LeafletVehicleLayer): void {
  const map = useMap();
  useEffect(() => {
    if (!window.matchMedia('(hover: hover)').matches) return;
    const hint = L.tooltip({ direction: 'top', offset: [0, -12], opacity: 1, className: classes.hint });
    const name = document.createElement('span');
    hint.setContent(name);
    let at: L.Point | null = null;
    let asking = false;

    const show = (latlng: L.LatLng | null, text: string) => {
      name.textContent = text;
      if (latlng && text !== '') hint.setLatLng(latlng).openOn(map);
      else hint.remove();
    };
    const look = async () => {
      if (asking) return;
      asking = true;
      // The worker answers once at a time; what the mouse did meanwhile is asked next.
      for (let asked: L.Point | null = null; at && asked !== at;) {
        asked = at;
        const hit = await layer.hit(asked);
        if (!at) break;
        map.getContainer().toggleAttribute('data-clickable', hit !== null);
        show(map.containerPointToLatLng(asked), hit?.kind === 'vehicle' ? hit.name : '');
      }
      asking = false;
    };
    const move = (event: L.LeafletMouseEvent) => {
      at = event.containerPoint;
      void look();
    };
    const leave = () => {
      at = null;
      map.getContainer().removeAttribute('data-clickable');
      show(null, '');
    };
    const away = { mouseout: leave, mousedown: leave, movestart: leave, zoomstart: leave };
    map.on('mousemove', move).on(away);
    return () => {
      leave();
      map.off('mousemove', move).off(away);
    };
  }, [map, layer]);
}
