/** The digits of an IMEI as it stands on labels: without the separators that people write and paste. */
export const imeiDigits = (text: string): string => text.replace(/[\s\-‐‑–./]/g, '');

/** Whether the last of 15 digits is the Luhn check digit of the others (3GPP TS 23.003 Annex B). */
export function checkDigitOk(imei: string): boolean {
  const sum = [...imei].reduce((total, character, place) => {
    const value = Number(character) * (place % 2 === 1 ? 2 : 1);
    return total + Math.floor(value / 10) + (value % 10);
  }, 0);
  return sum % 10 === 0;
}

/** One that lacks the check digit, as some labels and lists have it. */
export const lacksCheckDigit = (text: string): boolean => /^\d{14}$/.test(imeiDigits(text));

/** An IMEI whose check digit is wrong: born so, or mistyped. What has not 15 digits is something else. */
export function hasWrongCheckDigit(text: string): boolean {
  const imei = imeiDigits(text);
  return /^\d{15}$/.test(imei) && !checkDigitOk(imei);
}
