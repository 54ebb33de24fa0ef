/** Fourteen digits: those of the maker, and a number. */
let last = 35_693_803_560_000;

/** An IMEI with a valid check digit that no test of this Armada has used: it belongs to one device alone. */
export function newImei(): string {
  const digits = String(++last);
  return digits + checkDigit(digits);
}

/** By Luhn's formula (ISO/IEC 7812-1 annex B): every second digit counts double, from the last on. */
function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((sum, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}
