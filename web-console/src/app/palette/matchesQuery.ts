const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether every word that was typed occurs, whatever its case and accents. */
export function matchesQuery(query: string, text: string): boolean {
  const there = plain(text);
  return plain(query)
    .split(/\s+/)
    .every((word) => there.includes(word));
}
