const INDONESIAN_ZONES = ['Asia/Jakarta', 'Asia/Pontianak', 'Asia/Makassar', 'Asia/Jayapura'];

/** Time zones to choose from, Indonesia's first. */
export const timeZones = (present: string): { value: string; label: string }[] =>
  [...new Set([...INDONESIAN_ZONES, present, ...Intl.supportedValuesOf('timeZone'), 'UTC'])]
    .filter(Boolean)
    .map((zone) => ({ value: zone, label: zone }));

const NEAR_CURRENCIES = ['IDR', 'USD', 'SGD', 'MYR', 'CNY', 'AUD', 'EUR'];

/** Currencies to choose from, those of the neighbourhood first, with their names in a language. */
export function currencies(present: string, language: string): { value: string; label: string }[] {
  // Browsers have no names in Javanese.
  const names = new Intl.DisplayNames(language === 'jv' ? 'id' : language, { type: 'currency' });
  const english = new Intl.DisplayNames('en', { type: 'currency' });
  // What is not paid in any more has its years in its name.
  const living = Intl.supportedValuesOf('currency').filter((code) => !/\(\d{4}/.test(english.of(code) ?? ''));
  const codes = [...new Set([...NEAR_CURRENCIES, present, ...living])].filter(Boolean);
  return codes.map((code) => ({ value: code, label: `${code} – ${names.of(code) ?? code}` }));
}
