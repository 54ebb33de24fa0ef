/** The digits of an IMEI as it stands on labels: without the separators that people write and paste. */
export const imeiDigits = (text: string): string => text.replace(/[\s\-‐‑–./]/g, '');

const isImei = (text: string): boolean => /^\d{15}$/.test(text);

/** What a tracker may call itself: 15 digits are an IMEI. `frame` means something else where it is sent. */
export const TRACKER_ID = '^(?!frame$)[A-Za-z0-9_\\-]{4,32}$';

const isName = (text: string): boolean => new RegExp(TRACKER_ID, 'u').test(text);

/** What a tracker calls itself, as people write and paste it: an IMEI without separators, all else as it is. */
export function trackerId(text: string): string {
  const digits = imeiDigits(text);
  return isImei(digits) ? digits : text.trim();
}

/** Whether a tracker may call itself so, separators or not. */
export const isTrackerId = (text: string): boolean => isName(trackerId(text));

/** Whether it is complete, and no IMEI. */
export const isOtherId = (text: string): boolean => !isImei(text) && isName(text);

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
  return isImei(imei) && !checkDigitOk(imei);
}
