import type { ComponentType, ReactNode } from 'react';
import type { StatusTone } from '@/components/StatusBadge';
import type { FieldProps } from '@/components/form/field';
import type { Ability } from '@/session/abilities';
import type { Person } from '@/session/claims';
import type { Values } from './defineResource';
import type { ResourceKey } from './registry';
import type { Words } from './texts';

/** A row as the kit takes it: the kit reads its fields by name. */
export type Row = object;

/** What may be typed into a field; the server's contract says most of it. */
export interface Rules {
  required?: boolean;
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  integer?: boolean;
  /** A regular expression. */
  pattern?: string;
  format?: string;
  values?: readonly string[];
}

/** How a field stands in a list. */
export interface ColumnOptions<T> {
  /** Only these parts of a resource that is split have it. */
  of?: readonly string[];
  /** Key of the heading, where it is another than the field's. */
  label?: string;
  width?: number;
  /** Comes first and cannot be hidden. */
  fixed?: boolean;
  /** Shown only when it is chosen. */
  optional?: boolean;
  align?: 'right';
  /** Key of the unit's name. */
  unit?: string;
  phone?: 'beside' | 'below';
  /** Instead of what the kind of field shows. */
  Cell?: ComponentType<{ row: T }>;
  /** What it is in a file; its own name unless told, and nothing when empty: the server does not know it. */
  file?: readonly string[];
}

/** How a list is narrowed by a field. */
export interface FilterOptions {
  /** In the address of the call; the field's name unless told. */
  name?: string;
  multiple?: boolean;
  /** Key of the label, where it is another than the field's. */
  label?: string;
  ability?: Ability;
  /** Only these parts of a resource that is split have it. */
  of?: readonly string[];
  /** The call does not know it: the resource's `useScope` turns it into something that it does. */
  own?: boolean;
}

/** How a field stands in a form. */
export interface FormOptions<T> extends Omit<Rules, 'required'> {
  required?: boolean | ((values: Values, isNew: boolean) => boolean);
  /** Who is asked for it, of whom. */
  allowed?: (row: T | undefined, person: Person | null) => boolean;
  /** What has to be allowed to change it; `update` unless told. */
  right?: string;
  /** How it stands in a thing, where that has it otherwise. */
  read?: (row: T) => unknown;
  /** Asked for a new one alone: it stays as it is afterwards. */
  newOnly?: boolean;
  /** Asked for only while other fields have these values, or one of several. */
  only?: Readonly<Record<string, unknown>>;
  /** Decides what else is asked for, and is not sent itself. */
  unsent?: boolean;
  /** With what a new one begins. */
  initial?: unknown;
  /** Where the keyboard is when the form opens. */
  first?: boolean;
  /** Key of the unit behind a number. */
  unit?: string;
  inputMode?: 'numeric' | 'tel' | 'email';
  multiline?: boolean;
  /** What is typed, as it is sent: without separators. */
  clean?: (text: string) => string;
  /** Instead of the input that its kind has. */
  Input?: ComponentType<FieldProps<Values>>;
  /** Stands below it, whatever is typed. */
  Below?: ComponentType<{ value: never; row: T | undefined }>;
  /** Fields that mean nothing any more when this one changes: they are emptied. */
  resets?: readonly string[];
  /** Fields that take over what the thing chosen here says, by its names, where nobody has said anything yet. */
  fills?: Readonly<Record<string, string>>;
}

/** What a list of things is asked for besides. */
export type Query = Readonly<Record<string, string>>;

/** Which things there are to choose from. */
interface Choosing {
  of: ResourceKey;
  /** What narrows them always; where the resource is split, it may depend on the part. */
  where?: Query | ((part: string) => Query);
  /** The field of the form that says whose things there are to choose from. */
  within?: string;
  /** What else of the form narrows them while it is filled in: parameters of their list, with the fields that they are. */
  narrowedBy?: Query;
}

/** What every field may say of itself. */
export interface FieldOptions<T> {
  /** Key of its label; `field.` and its name unless told. */
  label?: string;
  /** Nobody else sees it. */
  ability?: Ability;
  column?: ColumnOptions<T> | false;
  filter?: FilterOptions | true;
  /** Missing where it is only shown. */
  form?: FormOptions<T>;
}

interface Kinds<T> {
  text: {
    /** Digits of one width. */
    tabular?: boolean;
    /** A password, which is only ever set. */
    secret?: boolean;
  };
  number: {
    /** Digits behind the point. */
    decimals?: number;
    /** How many of what the contract counts are one of the unit, e.g. 60 where seconds are shown as minutes. */
    per?: number;
    /** There may be none, which is not the same as 0. */
    optional?: boolean;
    /** The contract says 0 where nobody knows it: lists leave it out. */
    zeroIsUnknown?: boolean;
  };
  /** Amounts in the minor unit of the currency that another field names. */
  money: { currency: string };
  /** A point in time, shown as how long ago it was, or as the clock had it; `none` is the key of what is said for none. */
  instant: { none?: string; exact?: boolean };
  /** A day, `2026-11-21`. */
  date: unknown;
  /** One of a few values, called `<name>.<value>` in the texts; a tone makes it a badge. */
  choice: {
    values: readonly string[];
    tones?: Readonly<Record<string, StatusTone>>;
    labels?: Choices;
    searchable?: boolean;
    /** A hook: what the server has to choose from. */
    useChoices?: () => { value: string; label: string }[];
    /** Puts a value into words, where texts of its own would say the same twice. */
    say?: (value: string, words: Words) => string;
  };
  /** Yes or no; called `<name>.true` and `<name>.false` where the texts say so. */
  flag: unknown;
  /** Another thing, by its id. */
  entity: Choosing & {
    /** Key of what is said where there is none. */
    none?: string;
    clearable?: boolean;
  };
  /** Several other things, by their ids, in one text with commas between. Its names stand in a column of their own. */
  entities: Choosing;
  /** Several short words. */
  tags: unknown;
  /** A column that the row alone does not fill, and that no form has. */
  shown: { cell: (row: T, words: Words) => ReactNode };
}

/** Values to choose from that the texts do not name; the present one may be another. */
export type Choices = (present: string, language: string) => { value: string; label: string }[];

/** A field of a resource: column, filter, form field, check and what it is in files. */
export type Field<T = never> = {
  [K in keyof Kinds<T>]: { kind: K } & Kinds<T>[K] & FieldOptions<T>;
}[keyof Kinds<T>];

/** One of a few values. */
export type ChoiceField = Extract<Field, { kind: 'choice' }>;
/** Other things. */
export type EntityField = Extract<Field, { kind: 'entity' | 'entities' }>;

/** Makes a field of a kind. */
const of =
  <K extends Field['kind']>(kind: K) =>
  <T = never>(options: Omit<Extract<Field<T>, { kind: K }>, 'kind'>): Field<T> =>
    ({ kind, ...options }) as unknown as Field<T>;

/** One line of text, or several. */
export const text = of('text');
/** A number. */
export const number = of('number');
/** An amount of money. */
export const money = of('money');
/** A point in time. */
export const instant = of('instant');
/** A day. */
export const date = of('date');
/** One of a few values. */
export const choice = of('choice');
/** Yes or no. */
export const flag = of('flag');
/** Another thing. */
export const entity = of('entity');
/** Several other things. */
export const entities = of('entities');
/** Several short words. */
export const tags = of('tags');
/** Something shown that is no field of its own. */
export const shown = of('shown');

/** A value of a row, by the name of its field. */
export const valueOf = (row: Row | undefined, name: string): unknown =>
  (row as Record<string, unknown> | undefined)?.[name];
