import L from 'leaflet';
import classes from './PlaybackMap.module.css';

/** A vehicle at an instant of its past. */
export interface PlayedVehicle {
  id: string;
  name: string;
  lat: number;
  lng: number;
  /** Degrees clockwise from north; NaN when it is not known. */
  course: number;
  color: string;
}

const SIZE = 32;
const SVG = 'http://www.w3.org/2000/svg';
const ARROW = 'M0-11 8.5 9.5 0 5-8.5 9.5Z';
const CIRCLE = 'M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0Z';

interface Shown {
  marker: L.Marker;
  shape: SVGPathElement;
  name: HTMLElement;
}

/** Vehicles where they were, moved with each frame of a playback. */
export class PlaybackMarkers {
  private readonly shown = new Map<string, Shown>();
  private readonly map: L.Map;

  constructor(map: L.Map) {
    this.map = map;
  }

  /** These vehicles and no others are on the map, here. */
  show(vehicles: readonly PlayedVehicle[]): void {
    const wanted = new Set(vehicles.map(({ id }) => id));
    for (const [id, { marker }] of this.shown) {
      if (wanted.has(id)) continue;
      marker.remove();
      this.shown.delete(id);
    }
    for (const vehicle of vehicles) {
      const { marker, shape, name } = this.shown.get(vehicle.id) ?? this.add(vehicle);
      marker.setLatLng([vehicle.lat, vehicle.lng]);
      const hasCourse = !Number.isNaN(vehicle.course);
      shape.setAttribute('d', hasCourse ? ARROW : CIRCLE);
      shape.setAttribute('transform', hasCourse ? `rotate(${vehicle.course.toFixed(1)})` : '');
      shape.setAttribute('fill', vehicle.color);
      if (name.textContent !== vehicle.name) name.textContent = vehicle.name;
    }
  }

  /** Takes all of them away. */
  remove(): void {
    this.show([]);
  }

  private add(vehicle: PlayedVehicle): Shown {
    const html = document.createElement('div');
    const svg = html.appendChild(document.createElementNS(SVG, 'svg'));
    svg.setAttribute('viewBox', '-16 -16 32 32');
    svg.setAttribute('aria-hidden', 'true');
    const shape = svg.appendChild(document.createElementNS(SVG, 'path'));
    const name = html.appendChild(document.createElement('span'));
    name.className = classes.name ?? '';
    const icon = L.divIcon({ html, className: classes.vehicle ?? '', iconSize: [SIZE, SIZE] });
    const options = { icon, interactive: false, keyboard: false, zIndexOffset: 1000 };
    const marker = L.marker([vehicle.lat, vehicle.lng], options).addTo(this.map);
    const added = { marker, shape, name };
    this.shown.set(vehicle.id, added);
    return added;
  }
}
