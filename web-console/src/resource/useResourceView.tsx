import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import type { Column } from '@/components/DataTable';
import type { Filter } from '@/components/filters';
import { zoneName } from '@/i18n/timeZone';
import { useAddress } from '@/lib/address';
import type { ListDefinition, ListParams } from '@/lib/listParams';
import { can } from '@/session/abilities';
import type { Person } from '@/session/claims';
import { selectPerson, selectTimeZone } from '@/session/sessionSlice';
import { callsOf } from './calls';
import { cellOf, choiceText, flagText } from './cells';
import type { FilterChoices, Resource } from './defineResource';
import type { EntityField, Field, FilterOptions, Query, Row } from './fields';
import { mayDo } from './registry';
import { entityFilter } from './ResourceSelect';
import { useWords, type Words } from './texts';

const entries = (resource: Resource) => Object.entries(resource.fields) as [string, Field][];
const isFor = (person: Person | null, ability: Field['ability']) => !ability || can(ability, person);

/** Whether a part of a resource that is split has something. */
const isOf = (of: readonly string[] | undefined, part: string) => !of || of.includes(part);

/** What narrows the things that there are to choose from. */
export const whereOf = ({ where }: EntityField, part: string): Query | undefined =>
  typeof where === 'function' ? where(part) : where;

/** The part that the list shows, as its address says; nothing where it is not split. */
function usePart({ split }: Pick<Resource, 'split'>): string {
  const { search } = useAddress();
  const asked = split && search.get(split.by);
  return (asked && split.values.includes(asked) ? asked : split?.values[0]) ?? '';
}

/** The text that a field is called by: that of its part, where it is called otherwise there. */
export function labelOf(
  name: string,
  { label = `field.${name}` }: Pick<Field, 'label'>,
  part: string,
  { t, has }: Words,
) {
  const own = `${label}_${part}`;
  return t(has(own) ? own : label);
}

/** Views and columns are remembered for each part alone. */
const tableOf = (key: string, part: string) => [key, ...part.split('_').filter(Boolean)].join('-');

function columnOf<T extends Row>(
  name: string,
  field: Field,
  words: Words,
  part: string,
  sortable: boolean,
  zone: string,
): Column<T> {
  const { Cell, unit, label, ...options } = field.column || {};
  const right = field.kind === 'number' || field.kind === 'money' || (field.kind === 'instant' && !field.exact);
  return {
    key: name,
    label: labelOf(name, { label: label ?? field.label }, part, words),
    align: right ? 'right' : undefined,
    sortable,
    ...options,
    unit: unit ? words.t(unit) : field.kind === 'instant' && field.exact ? zone : undefined,
    cell: (row) => (Cell ? <Cell row={row as never} /> : cellOf(name, field, row, words)),
  };
}

function filterOf(
  name: string,
  field: Field,
  options: FilterOptions,
  words: Words,
  part: string,
  served: FilterChoices,
): Filter | null {
  const base = {
    name: options.name ?? name,
    label: labelOf(name, { label: options.label ?? field.label }, part, words),
    multiple: options.multiple,
  };
  switch (field.kind) {
    case 'choice':
      return {
        ...base,
        kind: 'choice',
        options: served[name] ?? field.values.map((value) => ({ value, label: choiceText(name, field, value, words) })),
      };
    case 'flag':
      return {
        ...base,
        kind: 'choice',
        options: [true, false].map((on) => ({ value: String(on), label: flagText(name, on, words) })),
      };
    case 'entity':
    case 'entities':
      return { ...base, ...entityFilter(field.of, whereOf(field, part)) };
    default:
      return null;
  }
}

const NONE: FilterChoices = {};
const useNone = () => NONE;

/** The list of a resource for this person: its columns, its filters, and what its address may say. */
export function useResourceView<T extends Row>(resource: Resource<T>) {
  const person = useSelector(selectPerson);
  const plain = resource as unknown as Resource;
  const words = useWords(plain.key);
  const part = usePart(plain);
  const { useFilterChoices = useNone } = plain;
  const served = useFilterChoices();
  const timeZone = useSelector(selectTimeZone);
  const zone = zoneName(new Date(), timeZone);
  return useMemo(() => {
    const { query: asked, sortable = [], sort: usual = '' } = callsOf(plain.key);
    const shown = entries(plain).filter(([, { ability }]) => isFor(person, ability));
    const columns = shown
      .filter(([, { column }]) => column !== false && isOf(column?.of, part))
      .map(([name, field]) => columnOf<T>(name, field, words, part, sortable.includes(name), zone));
    const filters = shown.flatMap(([name, field]) => {
      const options = field.filter === true ? {} : field.filter;
      if (!options || !isFor(person, options.ability) || !isOf(options.of, part)) return [];
      // What nobody lists for this person cannot be chosen.
      if ((field.kind === 'entity' || field.kind === 'entities') && !mayDo(field.of, 'list', person)) return [];
      const filter = filterOf(name, field, options, words, part, served);
      return filter && (options.own || asked.includes(filter.name)) ? [filter] : [];
    });
    const others = [...(plain.params ?? []), ...(plain.split ? [plain.split.by] : [])].map((name) => ({ name }));
    const list: ListDefinition = {
      table: tableOf(plain.key, part),
      sort: usual,
      columns,
      filters: [...filters, ...others],
    };
    const named = shown.flatMap(([name, field]) =>
      field.kind === 'entity' && field.column !== false ? [{ name, of: field.of }] : [],
    );
    return { words, part, columns, filters, list, named };
  }, [plain, words, part, person, served, zone]);
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
