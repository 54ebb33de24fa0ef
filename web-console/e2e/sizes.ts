/** How the console is looked at: as wide as a desk and as narrow as a phone, by day and by night. */
export const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
].flatMap((viewport) => (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })));

/** One of them, in a word. */
export const nameOf = ({ viewport, colorScheme }: (typeof LOOKS)[number]) => `${viewport.width}-${colorScheme}`;
