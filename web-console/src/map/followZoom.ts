import L from 'leaflet';

/** Leaflet animates a zoom by scaling; a canvas that shows `topLeft` at its corner, drawn at `zoom`, takes part like a picture. */
export function followZoom(
  map: L.Map,
  canvas: HTMLElement,
  drawn: { topLeft: L.LatLng; zoom: number },
  event: L.ZoomAnimEvent,
): void {
  const scale = map.getZoomScale(event.zoom, drawn.zoom);
  const newOrigin = map
    .project(event.center, event.zoom)
    .subtract(map.getSize().divideBy(2))
    .add(L.DomUtil.getPosition(map.getPane('mapPane') as HTMLElement))
    .round();
  L.DomUtil.setTransform(canvas, map.project(drawn.topLeft, event.zoom).subtract(newOrigin), scale);
}
