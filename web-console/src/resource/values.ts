import { minorDigits, toMajor, toMinor } from '@/lib/money';
import type { Resource, Values } from './defineResource';
import { valueOf, type Field, type Row } from './fields';

/** The fields of a resource that a form has. */
export const formFields = (resource: Resource): [string, Field][] =>
  (Object.entries(resource.fields) as [string, Field][]).filter(([, { form }]) => form !== undefined);

/** Whether a field is asked for beside what else stands in the form. */
export const isWanted = (field: Field, values: Values): boolean =>
  Object.entries(field.form?.only ?? {}).every(([name, value]) => values[name] === value);

const EMPTY: Record<Field['kind'], unknown> = {
  text: '',
  number: 0,
  money: 0,
  instant: '',
  date: '',
  choice: '',
  flag: false,
  entity: '',
  tags: [],
  shown: undefined,
};

/** The currency that an amount is in. */
export const currencyOf = (field: Field, values: Row | undefined): string =>
  field.kind === 'money' ? String(valueOf(values, field.currency) || 'IDR') : '';

function valueIn(name: string, field: Field, row: Row | undefined): unknown {
  const value = valueOf(row, name);
  if (row === undefined) return field.form?.initial ?? EMPTY[field.kind];
  if (value === undefined || value === null) return EMPTY[field.kind];
  if (field.kind === 'money') return toMajor(value as number, currencyOf(field, row));
  // What the server has not been told, or this console does not know, is nothing that could be chosen, and stays as it is.
  if (field.kind === 'choice' && !field.labels) return field.values.includes(value as string) ? value : '';
  return value;
}

/** A thing as it stands in the form; a new one as it begins. */
export const valuesOf = (resource: Resource, row: Row | undefined): Values =>
  Object.fromEntries(formFields(resource).map(([name, field]) => [name, valueIn(name, field, row)]));

function sent(field: Field, value: unknown, values: Values): unknown {
  if (field.kind === 'money') return toMinor(value as number, currencyOf(field, values));
  if (typeof value !== 'string') return value;
  return field.form?.clean ? field.form.clean(value.trim()) : value.trim();
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
        if (!base) return values[name] !== '' || (!field.form?.newOnly && field.kind !== 'choice');
        return !field.form?.newOnly && !same(values[name], before[name]);
      })
      .map(([name, field]) => [name, sent(field, values[name], values)]),
  );
}

/** Digits behind the point of what is typed. */
export const decimalsOf = (field: Field, values: Row): number =>
  field.kind === 'money' ? minorDigits(currencyOf(field, values)) : field.kind === 'number' ? (field.decimals ?? 0) : 0;
