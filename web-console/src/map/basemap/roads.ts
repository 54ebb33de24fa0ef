import { pathOf, type Path } from './geometry';

/** How much a road carries: those that carry most lie on top. */
const ROAD_CLASSES = ['street', 'main', 'toll'] as const;
/** One of them. */
export type RoadClass = (typeof ROAD_CLASSES)[number];

/** A road of the demonstration. */
export interface Road {
  of: RoadClass;
  name: string;
  path: Path;
}

/** Points of a curve from one drawn point to the next. */
const STEPS = 8;

type Point = readonly [lng: number, lat: number];

let loading: Promise<Road[]> | null = null;

/** The roads on which the vehicles of the demonstration drive, true to some hundred metres; loaded once. */
export function loadRoads(): Promise<Road[]> {
  loading ??= import('./roads.txt?raw').then((module) => roadsOf(module.default));
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

/** Reads them: one road a line, as `services/demo/src/roads.txt` says. Those that lie on top come last. */
export function roadsOf(text: string): Road[] {
  const junctions = new Map<string, Point>();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const roads = lines.flatMap((line): Road[] => {
    const [head = '', course = ''] = line.split(': ');
    const of = ROAD_CLASSES.find((each) => head.startsWith(`${each} `));
    const drawn = course.split(' ').flatMap((token) => pointOf(token, junctions) ?? []);
    return of ? [{ of, name: head.slice(of.length + 1), path: pathOf(smooth(drawn)) }] : [];
  });
  return roads.toSorted((one, other) => ROAD_CLASSES.indexOf(one.of) - ROAD_CLASSES.indexOf(other.of));
}

/** A place, or a junction by its name, which stands with its place where it is first mentioned. */
function pointOf(token: string, junctions: Map<string, Point>): [Point] | null {
  const [name = '', place = token] = /^[A-Za-z]/.test(token) ? token.split('@') : ['', token];
  const known = junctions.get(name);
  if (known) return [known];
  const [lat, lng] = place.split(',').map(Number);
  if (lat === undefined || lng === undefined || Number.isNaN(lat + lng)) return null;
  const point: Point = [lng, lat];
  if (name !== '') junctions.set(name, point);
  return [point];
}

/** The curve on which the demonstration drives: a centripetal one through all points, as in `services/demo/src/roads.rs`. */
function smooth(points: readonly Point[]): number[][] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return [];
  const curve: number[][] = [[...first]];
  for (let index = 0; index + 1 < points.length; index++) {
    const [p1 = first, p2 = last] = [points[index], points[index + 1]];
    const around = [points[index - 1] ?? beyond(p1, p2), p1, p2, points[index + 2] ?? beyond(p2, p1)] as const;
    for (let step = 1; step <= STEPS; step++) curve.push([...between(around, step / STEPS)]);
  }
  return curve;
}

const mix = (a: Point, b: Point, part: number): Point => [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part];
const beyond = (a: Point, b: Point): Point => mix(b, a, 2);

/** The point at a part of the way from the second to the third. */
function between([p0, p1, p2, p3]: readonly [Point, Point, Point, Point], part: number): Point {
  const knot = (a: Point, b: Point) => Math.max(1e-6, Math.sqrt(Math.hypot(b[0] - a[0], b[1] - a[1])));
  const t1 = knot(p0, p1);
  const t2 = t1 + knot(p1, p2);
  const t3 = t2 + knot(p2, p3);
  const t = t1 + (t2 - t1) * part;
  const at = (a: Point, b: Point, from: number, to: number) => mix(a, b, (t - from) / (to - from));
  const [a1, a2, a3] = [at(p0, p1, 0, t1), at(p1, p2, t1, t2), at(p2, p3, t2, t3)];
  return at(at(a1, a2, 0, t2), at(a2, a3, t1, t3), t1, t2);
}
