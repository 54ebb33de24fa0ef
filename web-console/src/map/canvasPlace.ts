import L from 'leaflet';

/** A canvas is larger than its map by this part on each side, so that dragging shows more and no empty edge. */
const PADDING = 0.15;

/** Where a canvas over a map lies, in pixels: in the map's pane, and in the world at its zoom. */
export interface CanvasPlace {
  position: L.Point;
  origin: L.Point;
  size: L.Point;
  topLeft: L.LatLng;
  zoom: number;
}

/** Where a canvas lies that covers what a map shows now. */
export function placeOfCanvas(map: L.Map): CanvasPlace {
  const pad = map.getSize().multiplyBy(PADDING).ceil();
  const position = map.containerPointToLayerPoint(pad.multiplyBy(-1)).round();
  return {
    position,
    origin: map.getPixelOrigin().add(position),
    size: map.getSize().add(pad.multiplyBy(2)),
    topLeft: map.layerPointToLatLng(position),
    zoom: map.getZoom(),
  };
}

/** Leaflet animates a zoom by scaling; a canvas that shows `topLeft` at its corner, drawn at `zoom`, takes part like a picture. */
export function followZoom(
  map: L.Map,
  canvas: HTMLElement,
  drawn: Pick<CanvasPlace, 'topLeft' | 'zoom'>,
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
