/** What stands between thousands and before decimals in a language. */
interface Separators {
  thousands: string;
  decimals: string;
}

/** Why a text is no number: it is none at all, has the other language's separators, or more decimals than count. */
export type NumberProblem = 'none' | 'separators' | 'whole' | 'decimals';

/** What somebody typed for a number; `''` for nothing. A text that is none stays as it is. */
export interface ReadNumber {
  value: number | string;
  problem?: NumberProblem;
}

const escaped = (separator: string) => separator.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Reads a number as a language writes it, with or without what stands between thousands. Nothing is passed over: a minus
 * counts, and `1.5` is no 15 where a point stands between thousands.
 */
export function readNumber(text: string, { thousands, decimals }: Separators, decimalsMax: number): ReadNumber {
  const typed = text.trim().replace('−', '-');
  if (typed === '') return { value: '' };
  const [group, point] = [escaped(thousands), escaped(decimals)];
  const parts = new RegExp(`^(-?)(\\d+|\\d{1,3}(?:${group}\\d{3})+)(?:${point}(\\d*))?$`).exec(typed);
  if (!parts) return { value: typed, problem: /^-?\d[\d.,]*$/.test(typed) ? 'separators' : 'none' };
  const [, sign = '', whole = '', fraction = ''] = parts;
  if (fraction.length > decimalsMax) return { value: typed, problem: decimalsMax === 0 ? 'whole' : 'decimals' };
  return { value: Number(`${sign}${whole.replaceAll(thousands, '')}.${fraction}`) };
}
