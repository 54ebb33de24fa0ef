import L from 'leaflet';
import { useEffect } from 'react';
import { MAP_COLORS, type Scheme } from '@/theme/tokens';
import classes from './PlaybackMap.module.css';

const PANE = 'events';
/** A finger or a mouse that misses a mark by so many pixels still means it. */
const TOLERANCE = 4;

/** A place at which something happened. */
export interface EventPlace {
  lat: number;
  lng: number;
  color: string;
  /** Pixels. */
  radius: number;
  /** Where in time it stands. */
  at: number;
  /** What is said of it, made when somebody points at it: there may be thousands. */
  title: () => string;
}

/** Marks places; whoever presses one goes to its time. The list beside the map has them for the keyboard. */
export function useEventPlaces(
  map: L.Map,
  places: readonly EventPlace[],
  scheme: Scheme,
  onSeek: (instant: number) => void,
): void {
  useEffect(() => (places.length > 0 ? mark(map, places, scheme, onSeek) : undefined), [map, places, scheme, onSeek]);
}

/** Marks places on one canvas, over the track and below its letters, the last ones on top; returns what takes them away. */
function mark(
  map: L.Map,
  places: readonly EventPlace[],
  scheme: Scheme,
  onSeek: (instant: number) => void,
): () => void {
  const pane = map.getPane(PANE) ?? map.createPane(PANE);
  pane.style.zIndex = '430';
  pane.dataset.testid = 'event-marks';
  pane.dataset.marks = String(places.length);
  const renderer = L.canvas({ pane: PANE, tolerance: TOLERANCE });
  const look = { renderer, pane: PANE, color: MAP_COLORS[scheme].outline, weight: 1.5, fillOpacity: 1 };
  const marked = new Map<L.Layer, EventPlace>();
  const group = L.featureGroup();
  for (const place of places) {
    const { lat, lng, color, radius, at } = place;
    const circle = L.circleMarker([lat, lng], { ...look, radius, fillColor: color }).on('click', () => onSeek(at));
    marked.set(circle, place);
    group.addLayer(circle);
  }
  const hint: L.TooltipOptions = { direction: 'top', offset: [0, -8], opacity: 1, className: classes.hint };
  group.bindTooltip((layer) => hintOf(marked.get(layer)), hint).addTo(map);
  return () => {
    group.remove();
    renderer.remove();
    pane.dataset.marks = '0';
  };
}

/** An element, since what stands in it is text and no markup. */
function hintOf(place: EventPlace | undefined): HTMLElement {
  const hint = document.createElement('span');
  hint.textContent = place?.title() ?? '';
  return hint;
}
