import { can, type Ability } from '@/session/abilities';
import type { Person } from '@/session/claims';

/** The parts of the dashboard, in the order in which everybody finds them at first. */
export const TILES = [
  'vehicles',
  'map',
  'alarms',
  'today',
  'recent',
  'kinds',
  'documents',
  'maintenance',
  'silent',
] as const;
/** One of them. */
export type TileKey = (typeof TILES)[number];

/** Who sees a tile: whoever may do one of these. */
const ABILITIES: Record<TileKey, Ability[]> = {
  vehicles: ['position:live'],
  map: ['position:live'],
  alarms: ['alarm:list', 'event:list'],
  today: ['event:list', 'maintenance:list', 'device:list'],
  recent: ['event:list'],
  kinds: ['event:list'],
  documents: ['document:list'],
  maintenance: ['maintenance:list'],
  silent: ['position:live'],
};

/** Whether a tile has anything to say to this person. */
export const maySee = (tile: TileKey, person: Person | null): boolean =>
  ABILITIES[tile].some((ability) => can(ability, person));

/** Which tiles somebody wants to see, and in which order. */
export interface Arrangement {
  /** All tiles, the hidden ones too, so that one that is shown again is where it was. */
  order: TileKey[];
  hidden: TileKey[];
}

/** How everybody finds the dashboard at first. */
export const USUAL_ARRANGEMENT: Arrangement = { order: [...TILES], hidden: [] };

/** The tiles among what was kept, each of them once. */
function tilesIn(kept: unknown): TileKey[] {
  const names: unknown[] = Array.isArray(kept) ? kept : [];
  return [...new Set(names)].flatMap((name) => TILES.find((tile) => tile === name) ?? []);
}

/** What was kept; a tile that is newer than that stands at the end, and what cannot be read counts as nothing. */
export function readArrangement(kept: object | null | undefined): Arrangement {
  const { order, hidden } = (kept ?? {}) as { order?: unknown; hidden?: unknown };
  return { order: [...new Set([...tilesIn(order), ...TILES])], hidden: tilesIn(hidden) };
}

/** Whether somebody has chosen anything: tiles are hidden, or stand in another order than everybody finds them in. */
export function isChosen(kept: object | null): boolean {
  const { order, hidden } = (kept ?? {}) as { order?: unknown; hidden?: unknown };
  const places = tilesIn(order).map((tile) => TILES.indexOf(tile));
  return tilesIn(hidden).length > 0 || places.some((place, at) => place < (places[at - 1] ?? 0));
}

/** A tile is shown, or is not any more. */
export function withShown({ order, hidden }: Arrangement, tile: TileKey, shown: boolean): Arrangement {
  const others = hidden.filter((each) => each !== tile);
  return { order, hidden: shown ? others : [...others, tile] };
}

/** A tile changes places with the one before or behind it, among those that this person may see. */
export function withTileMoved(arrangement: Arrangement, tile: TileKey, by: -1 | 1, seen: TileKey[]): Arrangement {
  const other = seen[seen.indexOf(tile) + by];
  if (!other) return arrangement;
  const swapped = arrangement.order.map((each) => (each === tile ? other : each === other ? tile : each));
  return { ...arrangement, order: swapped };
}
