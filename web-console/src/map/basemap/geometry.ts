import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import countriesUrl from 'world-atlas/countries-50m.json?url';
import { unitX, unitY } from '@/lib/mercator';

/** A line or ring in the unit square of Mercator, with its bounds. */
export interface Path {
  /** x0, y0, x1, y1, … */
  points: Float64Array;
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** Land and borders of the bundled map. */
export interface BasemapGeometry {
  /** Rings of all countries; a lake in one is a ring as well, so fill with the even-odd rule country by country. */
  land: Path[][];
  borders: Path[];
}

type Countries = Topology<{ countries: GeometryCollection }>;

let loading: Promise<BasemapGeometry> | null = null;

/** The bundled map (Natural Earth 1:50 million, public domain), loaded once. */
export function loadBasemap(): Promise<BasemapGeometry> {
  loading ??= fetch(countriesUrl)
    .then((answer) => answer.json() as Promise<Countries>)
    .then(geometryOf);
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

function geometryOf(topology: Countries): BasemapGeometry {
  const { countries } = topology.objects;
  const land = feature(topology, countries).features.map(({ geometry }) => {
    if (geometry.type === 'Polygon') return geometry.coordinates.map(pathOf);
    if (geometry.type === 'MultiPolygon') return geometry.coordinates.flat().map(pathOf);
    return [];
  });
  const borders = mesh(topology, countries, (a, b) => a !== b).coordinates.map(pathOf);
  return { land, borders };
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
