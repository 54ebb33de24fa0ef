/** A number in a unit of which each holds `per` of what was counted, e.g. 60 where seconds are minutes: to hundredths. */
export const inUnits = (counted: number, per: number): number => Math.round((counted / per) * 100) / 100;

/** The same back again, whole. */
export const fromUnits = (units: number, per: number): number => Math.round(units * per);
