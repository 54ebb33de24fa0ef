import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import countriesUrl from 'world-atlas/countries-50m.json?url';
import { unitX, unitY } from '@/lib/mercator';
import type { Place } from './labels';

/** A line or ring in the unit square of Mercator, with its bounds. */
export interface Path {
  /** x0, y0, x1, y1, … */
  points: Float64Array;
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** What the bundled map shows: land, borders and places. */
export interface BasemapGeometry {
  /** Rings of all countries; a lake in one is a ring as well, so fill with the even-odd rule country by country. */
  land: Path[][];
  borders: Path[];
  places: readonly Place[];
}

type Countries = Topology<{ countries: GeometryCollection }>;

let loading: Promise<BasemapGeometry> | null = null;

/** The bundled map (Natural Earth 1:50 million, public domain), loaded once. */
export function loadBasemap(): Promise<BasemapGeometry> {
  loading ??= load();
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

async function load(): Promise<BasemapGeometry> {
  const [topology, places] = await Promise.all([
    fetch(countriesUrl).then((answer) => answer.json() as Promise<Countries>),
    import('./places.json').then((module) => module.default as Place[]),
  ]);
  return { ...geometryOf(topology), places };
}

function geometryOf(topology: Countries): Omit<BasemapGeometry, 'places'> {
  const { countries } = topology.objects;
  const land = feature(topology, countries).features.map(({ geometry }) => {
    if (geometry.type === 'Polygon') return geometry.coordinates.flatMap(ringsOf);
    if (geometry.type === 'MultiPolygon') return geometry.coordinates.flat().flatMap(ringsOf);
    return [];
  });
  const borders = mesh(topology, countries, (a, b) => a !== b).coordinates.map(pathOf);
  return { land, borders };
}

/**
 * Puts a ring of degrees into the unit square. One that crosses the 180th meridian goes on beyond the edge of the square,
 * and is there a second time for the other end of the world; one around a pole is closed over it.
 */
export function ringsOf(ring: number[][]): Path[] {
  let turns = 0;
  const unrolled = ring.map(([lng = 0, lat = 0], place) => {
    const step = lng - (ring[place - 1]?.[0] ?? lng);
    if (step > 180) turns -= 1;
    else if (step < -180) turns += 1;
    return [lng + 360 * turns, lat];
  });
  const [first, last] = [unrolled[0], unrolled.at(-1)];
  if (turns !== 0 && first && last) {
    const pole = 90 * Math.sign(last[1] ?? 0);
    unrolled.push([last[0] ?? 0, pole], [first[0] ?? 0, pole]);
  }
  const path = pathOf(unrolled);
  const copies = [path];
  if (path.minX < 0) copies.push(shifted(path, 1));
  if (path.maxX > 1) copies.push(shifted(path, -1));
  return copies;
}

function shifted(path: Path, by: number): Path {
  const points = path.points.map((value, place) => (place % 2 === 0 ? value + by : value));
  return { ...path, points, minX: path.minX + by, maxX: path.maxX + by };
}

/** Puts a line of degrees into the unit square. */
export function pathOf(line: number[][]): Path {
  const points = new Float64Array(line.length * 2);
  const path: Path = { points, minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  line.forEach(([lng = 0, lat = 0], index) => {
    const x = unitX(lng);
    const y = unitY(lat);
    points[2 * index] = x;
    points[2 * index + 1] = y;
    path.minX = Math.min(path.minX, x);
    path.maxX = Math.max(path.maxX, x);
    path.minY = Math.min(path.minY, y);
    path.maxY = Math.max(path.maxY, y);
  });
  return path;
}
