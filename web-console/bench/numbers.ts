/** The value that a part of the values does not exceed. */
export const rank = (values: number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? NaN;

/** Milliseconds as they are printed. */
export const ms = (value: number): string => `${value.toFixed(1)} ms`;

/** The middle one and those that few exceed. */
export const three = (values: number[]): string =>
  [0.5, 0.95, 0.99].map((part) => rank(values, part).toFixed(1)).join(', ');
