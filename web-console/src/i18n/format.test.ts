import { describe, expect, it } from 'vitest';
import { formatsFor } from './format';
import { momentsFor } from './moments';
import { addDays, dayBegins, dayOf, startOfDay, zoneName } from './timeZone';

const now = Date.parse('2026-11-21T10:00:00Z');
/** No-break spaces are spaces to the eye. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe('formats', () => {
  it('know what stands between thousands', () => {
    expect(['id', 'en', 'zh', 'jv'].map((language) => formatsFor(language).separators)).toEqual([
      { thousands: '.', decimals: ',' },
      { thousands: ',', decimals: '.' },
      { thousands: ',', decimals: '.' },
      { thousands: '.', decimals: ',' },
    ]);
  });

  it('writes numbers by locale, Javanese like Indonesian', () => {
    expect(['id', 'en', 'jv'].map((language) => formatsFor(language).number(1234567))).toEqual([
      '1.234.567',
      '1,234,567',
      '1.234.567',
    ]);
  });

  it.each([
    ['id', 1665000, 'Rp 1.665.000'],
    ['jv', 1665000.4, 'Rp 1.665.000'],
    ['en', 1665000, 'Rp 1,665,000'],
    ['zh', 1665000, 'Rp 1,665,000'],
  ])('writes rupiah in %s', (language, value, expected) => {
    expect(plain(formatsFor(language).idr(value))).toBe(expected);
  });

  it.each([
    ['id', 0, 'sekarang'],
    ['id', -2, 'sekarang'],
    ['id', 3 * 60, '3 mnt lalu'],
    ['en', 3 * 60, '3 min ago'],
    ['en', 26 * 3600, 'yesterday'],
  ])('says in %s how long ago %i s are', (language, seconds, expected) => {
    expect(formatsFor(language).age(now - seconds * 1000, now)).toBe(expected);
  });

  it('never counts in English for Javanese', () => {
    // Node knows Javanese, browsers do not; neither may say "ago".
    expect(formatsFor('jv').age(now - 180_000, now)).toMatch(/^3 (menit kepungkur|mnt lalu)$/);
  });

  it.each([
    [5, '5 dtk'],
    [65, '1 mnt'],
    [8040, '2 jam 14 mnt'],
    [-3, '0 dtk'],
  ])('writes %i s as %s', (seconds, expected) => {
    expect(formatsFor('id').duration(seconds)).toBe(expected);
  });

  it.each([
    [0, '0 m'],
    [849.6, '850 m'],
    [12_430, '12,4 km'],
    [1_234_567, '1.235 km'],
  ])('writes %d m as %s', (metres, expected) => {
    expect(formatsFor('id').distance(metres)).toBe(expected);
  });

  it('never writes minutes as metres', () => {
    expect(formatsFor('en').duration(42 * 60)).toBe('42 min');
  });

  it('writes speeds', () => {
    expect(['id', 'en'].map((language) => formatsFor(language).speed(57.4))).toEqual(['57 km/jam', '57 km/h']);
  });

  it.each([
    [512, '512 B'],
    [1536, '1,5 kB'],
    [2_097_152, '2 MB'],
  ])('writes %i bytes as %s', (bytes, expected) => {
    expect(formatsFor('id').bytes(bytes)).toBe(expected);
  });

  it('sorts names with numbers as people do', () => {
    expect(['Truk 10', 'Truk 9', 'truk 1'].sort(formatsFor('jv').compare)).toEqual(['truk 1', 'Truk 9', 'Truk 10']);
  });
});

describe('times', () => {
  it.each([
    ['Asia/Jakarta', '17.00.00 WIB'],
    ['Asia/Pontianak', '17.00.00 WIB'],
    ['Asia/Makassar', '18.00.00 WITA'],
    ['Asia/Jayapura', '19.00.00 WIT'],
    ['UTC', '10.00.00 UTC'],
    ['Asia/Singapore', '18.00.00 GMT+8'],
  ])('are those of %s', (zone, expected) => {
    expect(plain(formatsFor('id', zone).dateTime(now))).toBe(`21 Nov 2026, ${expected}`);
  });

  it.each(['id', 'en', 'zh', 'jv'])('have 24 hours in %s', (language) => {
    const formats = formatsFor(language, 'Asia/Jakarta');
    const evening = Date.parse('2026-11-21T15:14:05Z');
    for (const text of [formats.dateTime(evening), formats.time(evening), formats.hour(evening)]) {
      expect(text).toMatch(/22[.:]14/);
      expect(text).not.toMatch(/[ap]m\b/i);
    }
  });

  it.each([
    ['id', '2026-11-20T17:00:00Z', '00.00.00'],
    ['id', '2026-11-20T15:14:00Z', '20 Nov, 22.14'],
    ['id', '2025-12-31T15:14:00Z', '31 Des 2025, 22.14'],
    ['en', '2026-11-20T15:14:00Z', '20 Nov, 22:14'],
  ])('are short in lists in %s, and say the day only of another one: %s', (language, at, expected) => {
    expect(plain(momentsFor(language, 'Asia/Jakarta')(at, now))).toBe(expected);
  });

  it.each(['id', 'en', 'zh', 'jv'])('name Indonesian zones alike in %s', (language) => {
    expect(formatsFor(language, 'Asia/Makassar').dateTime(now)).toMatch(/ WITA$/);
  });

  it('follow the clocks of summer and winter', () => {
    const summer = Date.parse('2026-07-01T10:00:00Z');
    expect([summer, now].map((at) => zoneName(new Date(at), 'Europe/Berlin'))).toEqual(['GMT+2', 'GMT+1']);
  });

  it.each(['America/New_York', 'Pacific/Kiritimati', undefined])(
    'leave dates without a time as they are in %s',
    (zone) => {
      expect(formatsFor('id', zone).date('2026-11-21')).toBe('21 Nov 2026');
    },
  );

  it('without a zone are those of the browser', () => {
    expect(formatsFor('id').dateTime(now)).toContain('10.00.00 UTC');
  });
});

describe('the day', () => {
  it.each([
    ['Asia/Jakarta', '2026-11-21T10:00:00Z', '2026-11-20T17:00:00.000Z'],
    ['Asia/Jakarta', '2026-11-21T16:59:59Z', '2026-11-20T17:00:00.000Z'],
    ['Asia/Jakarta', '2026-11-21T17:00:00Z', '2026-11-21T17:00:00.000Z'],
    ['Asia/Jayapura', '2026-11-21T15:30:00Z', '2026-11-21T15:00:00.000Z'],
    // The clocks were put forward at two, and back at three.
    ['Europe/Berlin', '2026-03-29T10:00:00Z', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25T10:00:00Z', '2026-10-24T22:00:00.000Z'],
    ['America/New_York', '2026-11-01T12:34:56.789Z', '2026-11-01T04:00:00.000Z'],
  ])('begins in %s at midnight', (zone, at, expected) => {
    expect(startOfDay(Date.parse(at), zone).toISOString()).toBe(expected);
  });
});

describe('days of the calendar', () => {
  it('begin at the midnight of their zone, also when the clocks change', () => {
    expect(dayBegins('2026-11-21', 'Asia/Jayapura')?.toISOString()).toBe('2026-11-20T15:00:00.000Z');
    expect(dayBegins('2026-03-29', 'Europe/Berlin')?.toISOString()).toBe('2026-03-28T23:00:00.000Z');
    expect(dayBegins('2026-03-30', 'Europe/Berlin')?.toISOString()).toBe('2026-03-29T22:00:00.000Z');
    expect([dayBegins('2026-13-01'), dayBegins('today')]).toEqual([undefined, undefined]);
  });

  it('are named as the zone has them, and counted on', () => {
    expect(dayOf(Date.parse('2026-11-20T18:00:00Z'), 'Asia/Jakarta')).toBe('2026-11-21');
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
  });
});
