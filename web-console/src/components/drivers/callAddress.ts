/** What calls a number that somebody wrote down as they like, e.g. `0812-3456 (kantor)`; nothing where there is none. */
export function callAddress(phone: string): string | undefined {
  const number = phone.trim().replace(/[^\d+]/g, '');
  return /^\+?\d{3,}$/.test(number) ? `tel:${number}` : undefined;
}
