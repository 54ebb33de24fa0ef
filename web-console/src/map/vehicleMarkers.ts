import L from 'leaflet';
import type { VehicleState } from '@/live/vehicleState';
import { prefersReducedMotion } from './reducedMotion';
import classes from './SharedMap.module.css';

/** A vehicle and where it is. */
export interface PlacedVehicle {
  number: number;
  name: string;
  lat: number;
  lng: number;
  /** Degrees clockwise from north. */
  course: number;
  state: VehicleState;
}

const SIZE = 30;
const SVG = 'http://www.w3.org/2000/svg';
/** The shapes of the console's map. */
const SHAPES: Partial<Record<VehicleState, [element: string, attributes: Record<string, string>]>> = {
  moving: ['path', { d: 'M0-11 8.5 9.5 0 5-8.5 9.5Z' }],
  parked: ['rect', { x: '-8', y: '-8', width: '16', height: '16', rx: '3' }],
};
const OTHER: [string, Record<string, string>] = ['circle', { r: '8' }];
/** What a name takes up on the map. */
const NAME_WIDTH = 130;
const NAME_HEIGHT = 24;

/** How long a vehicle takes to glide to a new fix. */
const GLIDE_MS = 900;

interface Known {
  marker: L.Marker;
  look: string;
  /** Where it glides from and to, and since when. */
  glide?: { from: L.LatLng; to: L.LatLng; since: number };
}

/** Vehicles on a map of a few: a marker each, which glides to where its vehicle is. */
export class VehicleMarkers {
  private readonly markers = new Map<number, Known>();
  private frame = 0;
  private readonly map: L.Map;
  private select: (number: number) => void = () => undefined;
  private again: () => void = () => undefined;

  constructor(map: L.Map) {
    this.map = map;
    map.on('zoomend', () => this.again());
  }

  /** These vehicles and no others are on the map; who presses one hears of it. */
  show(vehicles: PlacedVehicle[], selected: number | null, onSelect: (number: number) => void): void {
    this.select = onSelect;
    this.again = () => this.show(vehicles, selected, onSelect);
    const wanted = new Set(vehicles.map(({ number }) => number));
    for (const [number, { marker }] of this.markers) {
      if (wanted.has(number)) continue;
      marker.remove();
      this.markers.delete(number);
    }
    const named: L.Point[] = [];
    for (const vehicle of vehicles) {
      // A name over another one could not be read: of several in one place the first has one.
      const { x, y } = this.map.latLngToLayerPoint(vehicle);
      const isNamed = named.every((at) => Math.abs(at.x - x) > NAME_WIDTH || Math.abs(at.y - y) > NAME_HEIGHT);
      if (isNamed) named.push(L.point(x, y));
      this.place(vehicle, vehicle.number === selected, isNamed);
    }
  }

  /** Takes all of them away. */
  remove(): void {
    cancelAnimationFrame(this.frame);
    this.show([], null, () => undefined);
  }

  private glide(known: Known, to: L.LatLng): void {
    const from = known.marker.getLatLng();
    if ((known.glide?.to ?? from).equals(to)) return;
    known.glide = { from, to, since: performance.now() };
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.step());
  }

  private step(): void {
    this.frame = 0;
    const now = performance.now();
    for (const known of this.markers.values()) {
      if (!known.glide) continue;
      const { from, to, since } = known.glide;
      const part = prefersReducedMotion() ? 1 : Math.min(1, (now - since) / GLIDE_MS);
      known.marker.setLatLng([from.lat + (to.lat - from.lat) * part, from.lng + (to.lng - from.lng) * part]);
      if (part === 1) known.glide = undefined;
      else if (this.frame === 0) this.frame = requestAnimationFrame(() => this.step());
    }
  }

  private place(vehicle: PlacedVehicle, isSelected: boolean, isNamed: boolean): void {
    const { number, name, lat, lng, course, state } = vehicle;
    const look = [name, Math.round(course), state, isSelected, isNamed].join(' ');
    let known = this.markers.get(number);
    if (!known) {
      const marker = L.marker([lat, lng], { title: name, riseOnHover: true });
      marker.on('click', () => this.select(number)).on('keypress', () => this.select(number));
      known = { marker, look: '' };
      this.markers.set(number, known);
    }
    this.glide(known, L.latLng(lat, lng));
    if (known.look !== look) {
      known.look = look;
      known.marker.setIcon(iconOf(vehicle, isSelected, isNamed || isSelected));
      known.marker.setZIndexOffset(isSelected ? 1_000 : 0);
    }
    if (!this.map.hasLayer(known.marker)) known.marker.addTo(this.map);
  }
}

/** A vehicle as it stands on the map. */
export function iconOf(
  { name, course, state }: Omit<PlacedVehicle, 'number' | 'lat' | 'lng'>,
  isSelected: boolean,
  isNamed: boolean,
): L.DivIcon {
  const html = document.createElement('div');
  html.className = classes.vehicle ?? '';
  html.dataset.state = state;
  if (isSelected) html.dataset.selected = 'true';
  html.append(shapeOf(state, state === 'moving' ? course : 0));
  if (isNamed) {
    const label = document.createElement('span');
    label.className = classes.name ?? '';
    label.textContent = name;
    html.append(label);
  }
  return L.divIcon({ html, className: classes.marker, iconSize: [SIZE, SIZE], iconAnchor: [SIZE / 2, SIZE / 2] });
}

function shapeOf(state: VehicleState, turn: number): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '-14 -14 28 28');
  svg.setAttribute('width', String(SIZE));
  svg.setAttribute('height', String(SIZE));
  svg.setAttribute('aria-hidden', 'true');
  const [element, attributes] = SHAPES[state] ?? OTHER;
  const shape = document.createElementNS(SVG, element);
  for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
  shape.setAttribute('transform', `rotate(${Math.round(turn)})`);
  svg.append(shape);
  return svg;
}
