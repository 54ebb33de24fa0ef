import type { ComponentType, ReactNode } from 'react';
import type { Icon } from '@tabler/icons-react';
import type { Dispatch, DirectResult } from '@/api/direct';
import type { Formats } from '@/i18n/format';
import type { ListParams } from '@/lib/listParams';
import type { MutationResult } from '@/lib/mutationResult';
import type { EntityForm } from '@/lib/useEntityForm';
import type { Ability } from '@/session/abilities';
import type { Person } from '@/session/claims';
import type { changesOf } from './calls';
import type { Field, Row } from './fields';
import type { ResourceKey } from './registry';
import type { ResourceText, ResourceTexts } from './texts';

/** What is typed in a form, by the names of the fields. */
export type Values = Record<string, unknown>;

/** A question before a change is sent. */
export interface Question {
  title: string;
  text: string;
  /** Names what it is about, where the title does not. */
  about?: ReactNode;
  /** What the button that goes on says; that it saves unless told. */
  confirm?: string;
  /** What follows is more than a change of data. */
  destructive?: boolean;
}

/** What a bulk act does, in the words of the contract. */
export type Act = { update: object } | { delete: object } | { restore: object };

/** What a dialog about several rows is given. */
export interface ManyProps {
  opened: boolean;
  /** How many were chosen. */
  count: number;
  /** Which: the first so many, where all that match were chosen. */
  ids: (most: number) => Promise<DirectResult<string[]>>;
  /** What they are called, of those that are known. */
  names?: readonly string[];
  onDone: () => void;
  onCancel: () => void;
}

/** What can be done to several rows at once. */
export type BulkAct = {
  /** Its texts are `bulk.<name>.label`, `title` and `text`. */
  name: string;
  icon: Icon;
  destructive?: boolean;
} & (
  | {
      /** What has to be allowed, e.g. `update`. */
      right: string;
      /** The act of the job: what is changed, or deleted. */
      act: Act;
      field?: undefined;
    }
  | {
      right: string;
      /** The field of the form that is given one value in all of them: the question before asks for it. */
      field: string;
      act?: undefined;
    }
  | {
      /** What has to be allowed, of whatever module. */
      ability: Ability;
      /** Does it, and asks what there is to ask. */
      Dialog: ComponentType<ManyProps>;
      right?: undefined;
      act?: undefined;
      field?: undefined;
    }
);

/** Things of several parts in one list, of which it shows one at a time; the tabs over it lead from one to the other. */
export interface Split {
  /** The field that says which part a thing belongs to, and the filter of the list; it stands in the address. */
  by: string;
  /** In the order of the tabs, the first of which is in front. They are called as the values of the field are. */
  values: readonly string[];
}

/** A number over a list; one with a filter narrows the list to those it counts. */
export interface SummaryNumber {
  /** Its text is `summary.<name>`. */
  name: string;
  /** In the server's answer, where it is called otherwise. */
  value?: string;
  filter?: { name: string; value: string };
}

/** What a drawer's own parts are given. */
export interface DrawerPartProps<T> {
  row: T;
  onClose: () => void;
}

/** What filters offer, by the names of the fields. */
export type FilterChoices = Readonly<Record<string, { value: string; label: string }[]>>;

/** What stands between the title and the list is given. */
export interface ToolbarProps {
  params: ListParams;
  onParams: (change: Partial<ListParams>) => void;
  onRefresh: () => void;
}

/** What deletes a thing in a way of its own is given. */
export interface RemoveProps<T extends Row> {
  resource: Resource<T>;
  row: T;
  onDeleted: () => void;
}

/** What a form written by hand is given; `row` is missing for a new thing. */
export interface FormProps<T extends Row> {
  resource: Resource<T>;
  row: T | undefined;
  /** As it is now, where that is newer than what the form began with. */
  newest?: T;
  /** What of a new one is known beforehand. */
  known?: Values;
  /** The same in the form's own values, whoever said it: a thing that is copied. */
  initial?: Values;
  /** What deletes the thing, for those who may. */
  removal?: ReactNode;
  onClose: () => void;
}

/** What there is to send. */
export interface SendParts<T extends Row> {
  values: Values;
  /** What of them is sent. */
  input: Values;
  /** The version that a change is based on; missing for a new thing. */
  base: T | undefined;
  calls: ReturnType<typeof changesOf<T>>;
  dispatch: Dispatch;
  t: ResourceText;
}

/** How the form of a resource is laid out and what it asks. */
export interface FormLayout<T extends Row> {
  /**
   * Fields under headings, `section.<name>`, or on tabs, `tab.<name>`, or under a heading of a tab; without any they stand in
   * their order.
   */
  sections?: Record<string, readonly string[]>;
  tabs?: Record<string, readonly string[]>;
  /** What is said at the end of a section. */
  notes?: Record<string, ComponentType<{ row: T | undefined }>>;
  /** Where it takes more than one call. Of half of it done, both are told: the thing as it is, and what went wrong. */
  send?: (parts: SendParts<T>) => Promise<MutationResult<T> | { data: T; error: unknown }>;
  /** Asked before anything is sent. */
  question?: (values: Values, row: T | undefined, t: ResourceText, formats: Formats) => Question | undefined;
  /** The screen's own words when fields are wrong. */
  explain?: (wrong: string[], t: ResourceText) => string | undefined;
  /** Things that nobody can change, or not this person. */
  readOnly?: (row: T, person: Person | null) => boolean;
  /** What is said when a new one was sent, where it is otherwise than for all. */
  created?: (values: Values, t: ResourceText) => string | undefined;
  /** What else there is to say after saving. */
  saved?: (saved: T, before: T | undefined, t: ResourceText) => void;
}

/** Everything that is special about a resource; the rest follows from its fields and the contract. */
export interface Resource<T extends Row = Row> {
  key: ResourceKey;
  /** By name, in the order of the columns. */
  fields: Readonly<Record<string, Field<T>>>;
  form?: FormLayout<T>;
  /** Instead of a form made of the fields, or what there is to read. */
  Form?: ComponentType<FormProps<T>>;
  /** What is called what: `id` and `name` unless told. */
  idOf?: (row: T) => string;
  nameOf?: (row: T, texts: ResourceTexts) => string;
  bulk?: readonly BulkAct[];
  /** A list of several parts. Fields say in `column.of`, `filter.of` and `form.only` which of them have them. */
  split?: Split;
  /** A thing can be the beginning of another one, which takes over all but these fields. */
  duplicate?: { without: readonly string[] };
  summary?: readonly SummaryNumber[];
  /** Opens a screen of its own instead of a drawer. */
  pathOf?: (row: T) => string;
  /** How the list is asked for one that it does not show, where the contract has no call for that. */
  findBy?: (id: string) => object | undefined;
  /** Another way to a new one, before the button that adds one. */
  AddMore?: ComponentType;
  /** Rows cannot be opened, only added. */
  closed?: boolean;
  /** New ones are made elsewhere. */
  noCreate?: boolean;
  /** The drawer has room for tables. */
  wide?: boolean;
  /** Parts of the drawer: below the title, and above the form. */
  Subtitle?: ComponentType<{ row: T }>;
  Above?: ComponentType<DrawerPartProps<T>>;
  /** What else there is to see of a thing, behind its form: another tab, `tab.<name>`, or a section below, `section.<name>`. */
  parts?: Record<string, { Part: ComponentType<{ row: T }>; ability?: Ability; when?: (row: T) => boolean }>;
  /**
   * What a thing does now comes first, in its drawer and on its page; its form stands behind that, and so do its parts: these
   * with a tab of their own, or all, and the others under `tab.more`.
   */
  now?: { Part: ComponentType<{ row: T }>; tabs?: readonly string[] };
  /**
   * Opens as a page too, at `<path>/:id`, which is in `DETAIL_PATHS`: with the parts above, and with what only a page has
   * room for before and behind them.
   */
  page?: {
    Head?: ComponentType<{ row: T }>;
    /** Beside the title. */
    Acts?: ComponentType<{ row: T }>;
    before?: Resource<T>['parts'];
    after?: Resource<T>['parts'];
  };
  /** Whether the form is shown, or what stands in its place. */
  Instead?: { when: (row: T) => boolean; Part: ComponentType<DrawerPartProps<T>> };
  /** What deleting asks for besides; false where nothing is deleted here. */
  remove?:
    | false
    | {
        allowed?: (row: T, person: Person | null) => boolean;
        /** Instead of the button and its question, where there is more to ask. */
        Action?: ComponentType<RemoveProps<T>>;
        /** Asks twice: what costs a whole company its data. */
        twice?: boolean;
        /** What the call needs besides the id. */
        argument?: (row: T) => object;
        text?: (row: T, t: ResourceText, number: (value: number) => string) => string;
        /** What takes it back, offered as soon as it is done: `undo.label`, `undo.done` and `undo.failed` are its words. */
        undo?: (row: T, dispatch: Dispatch) => Promise<MutationResult<unknown>>;
      };
  /** Between the title and the list. */
  Toolbar?: ComponentType<ToolbarProps>;
  /** In the filter bar: what narrows the list in a way of its own, as its days do. */
  Filters?: ComponentType<ToolbarProps>;
  /** What else the address says of the list, for these and `useScope`. */
  params?: readonly string[];
  /** What the list is narrowed by that nobody chose here, e.g. the selected user. */
  useScope?: (params: ListParams) => ListParams;
  /** A hook: what filters offer where the server says what there is to choose from, by the names of the fields. */
  useFilterChoices?: () => FilterChoices;
  /** The list comes whole, not in pages: here it is completed, put in order and narrowed. */
  whole?: (rows: T[], params: Pick<ListParams, 'q' | 'filters'>, texts: ResourceTexts) => T[];
  /** It changes by what others do: asked for again whenever somebody comes. */
  refetchOnVisit?: boolean;
  /** It changes by itself: asked for again every so many seconds while it is on the screen. */
  pollSeconds?: number;
  /** What is in every file, whichever columns are on the screen. */
  extraFileColumns?: readonly string[];
}

/**
 * Declares a resource. All that it takes, for things that the contract has at `/api/v1/things`:
 *
 * 1. `npm run gen` has made what the kit knows of it (`generatedResources.ts`, `generatedKinds.ts`, `generatedRules.ts`) and
 *    the calls that are its own (`calls/`).
 * 2. An entry in `registry.ts`: path, namespace, module of its permissions, what the audit calls it, the service of its
 *    jobs; `place` for the sidebar and `g` + key, `offersNew` for "add …", `search` for the palette, `shows` for what its rows
 *    say of other things. Routes, menus, palette, permissions' and audit's texts follow.
 * 3. `features/things/things.resource.tsx`, whose default export is what this returns: `key` and `fields` by the
 *    contract's names, in the order of the columns. A field's kind (`fields.ts`) gives cell, filter, input, check and file
 *    column; `column: false` hides it, `filter: true` narrows by it if the list's call can, `form` puts it into the form.
 *    What may be typed comes from the contract; `form` says only what the contract does not. `form.sections` or `tabs` lay
 *    the inputs out; a field may depend on others (`only`), on the person (`allowed`, `right`) or have an `Input` of its own,
 *    and `form.send` takes what is more than one call. `split`, `duplicate`, `bulk`, `summary`, `remove`, `Toolbar`, `Filters`, `Above`, `Subtitle`, `Instead`, `page`
 *    are for what is special; what is read and not typed has a `Form` of its own. A list that comes `whole` is narrowed here.
 * 4. `locales/<language>/things.json`, named in `i18next.d.ts`: `field.<name>`, `help.<name>`, `<name>.<value>` of choices,
 *    `bulk.<act>.label|title|text`, `summary.<number>`, and what is to be said otherwise than `locales/…/resource.json`
 *    says it for all; what one and many are called stands there, under `noun`.
 *
 * `everyResource.test.tsx` checks states, rights, keyboard, languages and a stale version without being told of it.
 */
export const defineResource = <T extends Row>(resource: Resource<T>): Resource<T> => resource;

/** By what a row is known. */
export const idOf = <T extends Row>({ idOf: own }: Resource<T>, row: T): string =>
  own ? own(row) : String((row as { id?: unknown }).id ?? '');

/** What a row is called. */
export const nameOf = <T extends Row>({ nameOf: own }: Resource<T>, row: T, texts: ResourceTexts): string =>
  own ? own(row, texts) : String((row as { name?: unknown }).name ?? '');

/** A form of a resource, as its fields take it. */
export type ResourceForm = EntityForm<Values>;
