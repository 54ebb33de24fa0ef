/** Currencies of ISO 4217 whose minor unit is not a hundredth, by the digits behind the point. */
const DIGITS: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
};

/** Digits behind the point of amounts in a currency. */
export function minorDigits(currency: string): number {
  const found = Object.entries(DIGITS).find(([, codes]) => codes.split(' ').includes(currency));
  return found ? Number(found[0]) : 2;
}

/** An amount as people write it, e.g. rupiah, of one in the minor unit. */
export const toMajor = (minor: number, currency: string): number => minor / 10 ** minorDigits(currency);

/** An amount in the minor unit, as it is sent. */
export const toMinor = (major: number, currency: string): number => Math.round(major * 10 ** minorDigits(currency));
