import type { Option } from './EntitySelect';

interface FilterBase {
  /** In the address. */
  name: string;
  label: string;
  /** Whether several values may be chosen; a row then has to have one of them. */
  multiple?: boolean;
}

/** One of a few known values. */
export interface ChoiceFilter extends FilterBase {
  kind: 'choice';
  options: Option[];
}

/** One of as many things as there may be: the server searches. */
export interface EntityFilter extends FilterBase {
  kind: 'entity';
  /** A hook: the things whose name has this in it. */
  useOptions: (q: string) => { options: Option[]; loading: boolean; failure?: string };
  /** A hook: what a thing is called; undefined until that is known. */
  useName: (id: string) => string | undefined;
}

/** What a list can be narrowed by. */
export type Filter = ChoiceFilter | EntityFilter;
