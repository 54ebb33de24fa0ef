/** Things in their order, those of a day together; the days in the order in which they come. */
export function byDay<T>(things: readonly T[], dayOf: (thing: T) => string): Map<string, T[]> {
  const days = new Map<string, T[]>();
  for (const thing of things) {
    const day = dayOf(thing);
    const ofDay = days.get(day);
    if (ofDay) ofDay.push(thing);
    else days.set(day, [thing]);
  }
  return days;
}
