import { createContext, use } from 'react';
import { api } from '@/api/api';
import type { ApiError } from '@/api/errors';
import { callsOf } from './calls';
import type { Row } from './fields';
import { labelIn, REGISTRY, type ResourceKey } from './registry';

/** As many as fit into an address that every proxy takes. */
const IDS_AT_ONCE = 100;

interface NamesArg {
  of: ResourceKey;
  /** In one order, so that the same ids are the same question. */
  ids: string[];
}
type Names = Record<string, string>;
interface Named {
  id: string;
}

/** What things are called, in one call however many they are; one by one where the contract cannot ask for several. */
const namesApi = api.injectEndpoints({
  endpoints: (build) => ({
    names: build.query<Names, NamesArg>({
      queryFn: async ({ of, ids }, _api, _options, fetchBase) => {
        const names: Names = {};
        const { path, query } = callsOf(of);
        const together = query.includes('ids');
        const step = together ? IDS_AT_ONCE : 1;
        for (let from = 0; from < ids.length; from += step) {
          const part = ids.slice(from, from + step);
          const call = together
            ? { url: path, params: { ids: part, page_size: IDS_AT_ONCE } }
            : { url: `${path}/${encodeURIComponent(part[0] ?? '')}` };
          const { data, error } = await fetchBase(call);
          // One that is gone has no name.
          if (error && (together || (error as ApiError).status !== 404)) return { error: error as ApiError };
          const found = together
            ? ((data as { items?: Named[] } | undefined)?.items ?? [])
            : [data as Named | undefined];
          for (const each of found) if (each) names[each.id] = labelIn(of, each);
        }
        return { data: names };
      },
      providesTags: (_answer, _error, { of, ids }) => ids.map((id) => ({ type: of, id })),
    }),
  }),
});

/** What these things are called, by id; asked for together. Nothing is known of those that are gone, or not there yet. */
export function useNames(of: ResourceKey, ids: readonly (string | null | undefined)[]): Names {
  const wanted = [...new Set(ids)].filter((id): id is string => !!id).sort();
  const { data } = namesApi.useNamesQuery({ of, ids: wanted }, { skip: wanted.length === 0 });
  return data ?? NO_NAMES;
}

const NO_NAMES: Names = {};

type KnownNames = Partial<Record<ResourceKey, Names>>;
const PageNames = createContext<KnownNames>({});

interface NamesOfPageProps {
  rows: readonly Row[];
  /** Fields that hold ids, with what they are ids of. */
  fields: readonly { name: string; of: ResourceKey }[];
  children: React.ReactNode;
}

const KEYS = Object.keys(REGISTRY) as ResourceKey[];

/** Asks for the names of everything that a page of rows speaks of: one call for each kind of things. */
export function NamesOfPage({ rows, fields, children }: NamesOfPageProps) {
  const idsOf = (key: ResourceKey) =>
    fields.filter(({ of }) => of === key).flatMap(({ name }) => rows.map((row) => (row as Names)[name]));
  // The keys are always the same, so that these are always the same hooks.
  // eslint-disable-next-line react-hooks/rules-of-hooks
  const found = KEYS.map((key) => [key, useNames(key, idsOf(key))] as const);
  const known = Object.fromEntries(found) as KnownNames;
  return <PageNames value={known}>{children}</PageNames>;
}

interface EntityNameProps {
  of: ResourceKey;
  id: string;
  /** Stands there until it is known, and for good where nobody is told. */
  absent?: string;
}

/** What a thing is called. */
export function EntityName(props: EntityNameProps) {
  const known = use(PageNames)[props.of]?.[props.id];
  return known ?? <NameAlone {...props} />;
}

const NameAlone = ({ of, id, absent = '…' }: EntityNameProps) => {
  const asked = use(PageNames)[of] !== undefined;
  // Of what the page has asked for already, the answer is on its way, or there is none.
  return useNames(of, asked ? [] : [id])[id] ?? absent;
};
