/**
 * What a form sends, without fields that it could not show: a thing may hold a value that this version of the console does
 * not know, and the form stands at another one until somebody chooses. Those fields stay as they are on the server.
 */
export function omitUnshownFields<I extends object, K extends keyof I & string>(
  input: I,
  present: Partial<Record<K, unknown>>,
  shown: Record<K, unknown>,
  names: readonly K[],
): Omit<I, K> & Partial<Pick<I, K>> {
  const unshown = new Set<string>(names.filter((name) => present[name] !== shown[name] && input[name] === shown[name]));
  return Object.fromEntries(Object.entries(input).filter(([name]) => !unshown.has(name))) as Omit<I, K> &
    Partial<Pick<I, K>>;
}
