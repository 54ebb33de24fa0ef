/** More vehicles than these are not chosen at a time: they stand in the address, and each has a trail. */
export const CHOSEN_MAX = 50;

/** How a vehicle is pressed: to choose it alone, to add it to the others or take it away, or to choose all up to it. */
export type Choosing = 'only' | 'toggle' | 'range';

/** What the keys mean that are held while something is pressed. */
export function choosingBy(keys: { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }): Choosing {
  if (keys.shiftKey) return 'range';
  return keys.ctrlKey || keys.metaKey ? 'toggle' : 'only';
}

/** Who is chosen after one more is pressed; of a list those `between` the one before and it, both of them among these. */
export function chosenAfter(chosen: string[], id: string, how: Choosing, between: string[]): string[] {
  if (how === 'only') return [id];
  if (how === 'range') return (between.length > 0 ? between : [id]).slice(0, CHOSEN_MAX);
  if (chosen.includes(id)) return chosen.filter((other) => other !== id);
  return [...chosen, id].slice(-CHOSEN_MAX);
}
