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
/** What everybody here knows. */
const PRODUCT = 'armada';

/** How hard a password is to guess; the server refuses the first three. */
export type PasswordStrength = 'short' | 'common' | 'personal' | 'weak' | 'fair' | 'strong';

/**
 * Judges a password by its length, as what counts most, by how varied it is, and by whether it is made of what is known
 * of the person anyhow. What the server refuses is said to be refused (`services/identity/src/passwords.rs`); `common` are
 * the passwords that are tried first, once they are there.
 */
export function passwordStrength(
  password: string,
  known: string[] = [],
  common?: ReadonlySet<string>,
): PasswordStrength {
  const lower = password.toLowerCase();
  const length = [...password].length;
  if (length < PASSWORD_MIN) return 'short';
  if (common?.has(lower)) return 'common';
  const left = [...withoutKnown(lower, known)];
  const letters = left.filter((character) => /[\p{Alphabetic}\p{N}]/u.test(character)).length;
  if (letters < Math.min(PASSWORD_MIN, Math.floor(length / 2) + 1)) return 'personal';
  if (left.length < PASSWORD_MIN || new Set(lower).size < VARIED) return 'weak';
  return length >= LONG ? 'strong' : 'fair';
}

/** What is left without the words that somebody would try who knows whose it is. */
function withoutKnown(password: string, known: string[]): string {
  const texts = known.map((text) => text.toLowerCase());
  const words = [
    ...texts.map((text) => text.trim()),
    ...texts.flatMap((text) => text.split(/[^\p{Alphabetic}\p{N}]+/u)),
  ];
  return (
    [...words, PRODUCT]
      .filter((word) => [...word].length >= WORD_MIN)
      // The longest first: a part of one would leave the rest of it.
      .sort((a, b) => b.length - a.length)
      .reduce((left, word) => left.replaceAll(word, ''), password)
  );
}
