/** A field of something, as it was and as it is; undefined where there was or is none. */
export interface ChangedField {
  name: string;
  before: unknown;
  after: unknown;
}

const given = (value: unknown) => value !== undefined && value !== null;

/** What was changed, field by field, in the order in which the server tells it. */
export function changedFields(before: object | undefined, after: object | undefined): ChangedField[] {
  const was = new Map<string, unknown>(Object.entries(before ?? {}));
  const is = new Map<string, unknown>(Object.entries(after ?? {}));
  return [...new Set([...is.keys(), ...was.keys()])]
    .map((name) => ({ name, before: was.get(name), after: is.get(name) }))
    .filter((field) => given(field.before) || given(field.after));
}

/** A list of things with names is told by their names. */
const nameIn = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string' ? value.name : null;

/** A value as text, where it is neither yes nor no nor nothing. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((each) => nameIn(each) ?? valueText(each)).join(', ');
  return nameIn(value) ?? JSON.stringify(value, null, 2);
}
