import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import type { Column } from '@/components/DataTable';
import type { Filter } from '@/components/filters';
import type { ListDefinition, ListParams } from '@/lib/listParams';
import { can } from '@/session/abilities';
import type { Person } from '@/session/claims';
import { selectPerson } from '@/session/sessionSlice';
import { callsOf } from './calls';
import { cellOf, choiceText, flagText } from './cells';
import type { Resource } from './defineResource';
import type { Field, FilterOptions, Row } from './fields';
import { entityFilter } from './ResourceSelect';
import { useWords, type Words } from './texts';

const entries = (resource: Resource) => Object.entries(resource.fields) as [string, Field][];
const isFor = (person: Person | null, ability: Field['ability']) => !ability || can(ability, person);

function columnOf<T extends Row>(name: string, field: Field, words: Words): Column<T> {
  const { Cell, unit, label, ...options } = field.column || {};
  const right = field.kind === 'number' || field.kind === 'money' || (field.kind === 'instant' && !field.exact);
  return {
    key: name,
    label: words.t(label ?? field.label ?? `field.${name}`),
    align: right ? 'right' : undefined,
    ...options,
    unit: unit && words.t(unit),
    cell: (row) => (Cell ? <Cell row={row as never} /> : cellOf(name, field, row, words)),
  };
}

function filterOf(name: string, field: Field, options: FilterOptions, words: Words): Filter | null {
  const base = {
    name: options.name ?? name,
    label: words.t(options.label ?? field.label ?? `field.${name}`),
    multiple: options.multiple,
  };
  switch (field.kind) {
    case 'choice':
      return {
        ...base,
        kind: 'choice',
        options: field.values.map((value) => ({ value, label: choiceText(name, field, value, words) })),
      };
    case 'flag':
      return {
        ...base,
        kind: 'choice',
        options: [true, false].map((on) => ({ value: String(on), label: flagText(name, on, words) })),
      };
    case 'entity':
      return { ...base, ...entityFilter(field.of) };
    default:
      return null;
  }
}

/** The list of a resource for this person: its columns, its filters, and what its address may say. */
export function useResourceView<T extends Row>(resource: Resource<T>) {
  const person = useSelector(selectPerson);
  const plain = resource as unknown as Resource;
  const words = useWords(plain.key);
  return useMemo(() => {
    const shown = entries(plain).filter(([, { ability }]) => isFor(person, ability));
    const columns = shown
      .filter(([, { column }]) => column !== false)
      .map(([name, field]) => columnOf<T>(name, field, words));
    const asked = callsOf(plain.key).query;
    const filters = shown.flatMap(([name, field]) => {
      const options = field.filter === true ? {} : field.filter;
      if (!options || !isFor(person, options.ability)) return [];
      const filter = filterOf(name, field, options, words);
      return filter && (options.own || asked.includes(filter.name)) ? [filter] : [];
    });
    const others = (plain.params ?? []).map((name) => ({ name }));
    const list: ListDefinition = { table: plain.key, sort: plain.sort, columns, filters: [...filters, ...others] };
    const named = shown.flatMap(([name, field]) =>
      field.kind === 'entity' && field.column !== false ? [{ name, of: field.of }] : [],
    );
    return { words, columns, filters, list, named };
  }, [plain, words, person]);
}

/** Search and filters, as the contract calls them. */
export const filterParams = ({ q, filters }: ListParams): object => ({ q, ...filters });

/** What the columns on the screen are in a file, and what is in it besides. */
export const fileColumns = (resource: Resource<never>, columns: string[]): string[] => [
  ...new Set([
    ...columns.flatMap((name) => {
      const field = resource.fields[name] as Field | undefined;
      return (field?.column && field.column.file) || (field?.kind === 'shown' ? [] : [name]);
    }),
    ...(resource.extraFileColumns ?? []),
  ]),
];
