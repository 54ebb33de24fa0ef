import type { Person } from '@/session/claims';
import { can } from '@/session/abilities';
import { minorDigits, toMajor, toMinor } from '@/lib/money';
import type { Resource, Values } from './defineResource';
import { valueOf, type Field, type Row } from './fields';
import { mayDo, type ResourceKey } from './registry';

/** The fields of a resource that a form has. */
export const formFields = (resource: Resource): [string, Field][] =>
  (Object.entries(resource.fields) as [string, Field][]).filter(([, { form }]) => form !== undefined);

/** Whether a person is asked for a field of this thing: what is only for new ones, or for others, is not there. */
export function isAsked(field: Field | undefined, row: Row | undefined, person: Person | null): boolean {
  if (!field?.form || (row && field.form.newOnly)) return false;
  if (field.ability && !can(field.ability, person)) return false;
  if (field.form.allowed && !field.form.allowed(row as never, person)) return false;
  return (field.kind !== 'entity' && field.kind !== 'entities') || mayDo(field.of, 'list', person);
}

/** Whether a person may change a field; of a new thing, every one that they are asked for. */
export const mayEdit = (key: ResourceKey, field: Field, row: Row | undefined, person: Person | null): boolean =>
  row === undefined || mayDo(key, field.form?.right ?? 'update', person);

/** Whether a field is asked for beside what else stands in the form. */
export const isWanted = (field: { form?: { only?: Values } }, values: Values): boolean =>
  Object.entries(field.form?.only ?? {}).every(([name, value]) =>
    Array.isArray(value) ? value.includes(values[name]) : values[name] === value,
  );

/** Nothing, of each kind. */
const EMPTY: Record<Field['kind'], unknown> = {
  text: '',
  number: 0,
  money: 0,
  instant: '',
  date: '',
  choice: '',
  flag: false,
  entity: '',
  entities: '',
  tags: [],
  shown: undefined,
};

/** The currency that an amount is in. */
export const currencyOf = (field: Field, values: Row | undefined): string =>
  field.kind === 'money' ? String(valueOf(values, field.currency) || 'IDR') : '';

/** What stands in a form where there is nothing. */
export const emptyOf = (field: Field): unknown => (field.kind === 'number' && field.optional ? '' : EMPTY[field.kind]);

function valueIn(name: string, field: Field, row: Row | undefined): unknown {
  if (row === undefined) return field.form?.initial ?? emptyOf(field);
  const value = field.form?.read ? field.form.read(row as never) : valueOf(row, name);
  if (value === undefined || value === null) return emptyOf(field);
  if (field.kind === 'money') return toMajor(value as number, currencyOf(field, row));
  // What the server has not been told, or this console does not know, is nothing that could be chosen, and stays as it is.
  if (field.kind === 'choice' && !field.labels) return field.values.includes(value as string) ? value : '';
  return value;
}

/** A thing as it stands in the form; a new one as it begins. */
export const valuesOf = (resource: Resource, row: Row | undefined): Values =>
  Object.fromEntries(formFields(resource).map(([name, field]) => [name, valueIn(name, field, row)]));

/** What is typed, as it is sent; every letter of a password counts. */
export function cleaned(field: Field, text: string): string {
  if (field.kind === 'text' && field.secret) return text;
  return field.form?.clean ? field.form.clean(text.trim()) : text.trim();
}

function sent(field: Field, value: unknown, values: Values): unknown {
  if (field.kind === 'number' && value === '') return null;
  if (field.kind === 'money') return toMinor(value as number, currencyOf(field, values));
  return typeof value === 'string' ? cleaned(field, value) : value;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * What is sent: of a change, what was changed and nothing else; of a new thing, all but what nothing was chosen for.
 */
export function inputOf(resource: Resource, values: Values, base: Row | undefined): Values {
  const before = valuesOf(resource, base);
  return Object.fromEntries(
    formFields(resource)
      .filter(([name, field]) => {
        if (!(name in values) || field.form?.unsent || !isWanted(field, values)) return false;
        // A number that is missing cannot be said of something new; of what there is, `null` takes it away.
        if (field.kind === 'number' && values[name] === '' && !base) return false;
        if (!base) return values[name] !== '' || (!field.form?.newOnly && field.kind !== 'choice');
        return !field.form?.newOnly && !same(values[name], before[name]);
      })
      .map(([name, field]) => [name, sent(field, values[name], values)]),
  );
}

/** Digits behind the point of what is typed. */
export const decimalsOf = (field: Field, values: Row): number =>
  field.kind === 'money' ? minorDigits(currencyOf(field, values)) : field.kind === 'number' ? (field.decimals ?? 0) : 0;
