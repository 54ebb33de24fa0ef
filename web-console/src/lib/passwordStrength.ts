/** Characters of a password: no fewer, */
export const PASSWORD_MIN = 8;
/** and no more. */
export const PASSWORD_MAX = 128;
/** From so many on, guessing is hopeless. */
const LONG = 15;
/** Fewer different ones than this are a pattern. */
const VARIED = 6;
/** Shorter words are in every password by chance. */
const WORD_MIN = 4;

/** How hard a password is to guess. */
export type PasswordStrength = 'short' | 'weak' | 'fair' | 'strong';

/**
 * Judges a password by its length, as what counts most, by how varied it is, and by whether it is made of what is known
 * of the person anyhow. The server refuses those that are tried first.
 */
export function passwordStrength(password: string, known: string[] = []): PasswordStrength {
  const characters = [...password.toLowerCase()];
  if (characters.length < PASSWORD_MIN) return 'short';
  const words = known
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= WORD_MIN);
  const own = words.reduce((left, word) => left.replaceAll(word, ''), characters.join(''));
  if ([...own].length < PASSWORD_MIN || new Set(characters).size < VARIED) return 'weak';
  return characters.length >= LONG ? 'strong' : 'fair';
}
