import { api } from '@/api/api';
import { RESOURCES } from '@/api/generatedResources';
import { invalidatedTags, shownAlone, shownInList } from '@/api/tags';
import type { Page } from '@/api/types';
import type { MutationResult } from '@/lib/mutationResult';
import type { Row } from './fields';
import { REGISTRY, type ResourceKey } from './registry';

/** What a list or one thing is, and how it stands with loading it. */
export interface Loaded<T> {
  data?: T;
  currentData?: T;
  error?: unknown;
  isFetching: boolean;
  isError: boolean;
  fulfilledTimeStamp?: number;
  refetch: () => unknown;
}

interface QueryOptions {
  skip?: boolean;
  refetchOnMountOrArgChange?: boolean;
  /** Milliseconds; 0 for once. */
  pollingInterval?: number;
}

interface ResourceCalls {
  path: string;
  /** What its list can be asked for. */
  query: readonly string[];
  /** What its list can be sorted by. */
  sortable?: readonly string[];
  /** The usual order. */
  sort?: string;
  exports?: boolean;
  imports?: boolean;
  get?: boolean;
  create?: boolean;
  update?: boolean;
  remove?: boolean;
  summary?: boolean;
  /** What the id is called. */
  id?: string;
  /** The message that creates or changes one. */
  input?: string;
}

/** What there is of a resource, as the contract has it. */
export const callsOf = (key: ResourceKey): ResourceCalls => RESOURCES[key];

/** By what things are sorted that are chosen by how they are called. */
export function sortByName(key: ResourceKey): string | undefined {
  const { sortable, sort } = callsOf(key);
  const { label = 'name' } = REGISTRY[key];
  return sortable?.includes(label) ? label : sort;
}

/** Parameters by the names of the contract; what it does not know is left out. */
type Params = Record<string, unknown>;
const known = (of: ResourceKey, params: Params): Params =>
  Object.fromEntries(Object.entries(params).filter(([name]) => callsOf(of).query.includes(name)));

const addressOf = (of: ResourceKey, id: string) => `${callsOf(of).path}/${encodeURIComponent(id)}`;

interface ListArg {
  of: ResourceKey;
  params: Params;
}
interface OneArg {
  of: ResourceKey;
  id: string;
}
interface ChangeArg extends OneArg {
  method: 'PUT' | 'DELETE';
  /** The version that was seen. */
  version?: string;
  body?: object;
  params?: object;
}

/**
 * The calls that all resources have. They are made of the contract when they are sent: screens that choose among things of
 * many kinds need not load the generated calls of all of them.
 */
const resourceApi = api.injectEndpoints({
  endpoints: (build) => ({
    resourceList: build.query<Page<unknown>, ListArg>({
      query: ({ of, params }) => ({ url: callsOf(of).path, params: known(of, params) }),
      providesTags: (answer, _error, { of }) => shownInList(of, answer, callsOf(of).id),
    }),
    resourceSummary: build.query<Record<string, number>, ListArg>({
      query: ({ of, params }) => ({ url: `${callsOf(of).path}/summary`, params: known(of, params) }),
      providesTags: (_answer, _error, { of }) => shownInList(of, undefined),
    }),
    resourceOne: build.query<unknown, OneArg>({
      query: ({ of, id }) => addressOf(of, id),
      providesTags: (_answer, _error, { of, id }) => shownAlone(of, id),
    }),
    addResource: build.mutation<unknown, { of: ResourceKey; body: object }>({
      query: ({ of, body }) => ({ url: callsOf(of).path, method: 'POST', body }),
      invalidatesTags: (_answer, error, { of }) => invalidatedTags(of, error),
    }),
    changeResource: build.mutation<unknown, ChangeArg>({
      query: ({ of, id, method, version, body, params }) => ({
        url: addressOf(of, id),
        method,
        body,
        headers: { 'If-Match': version },
        params,
      }),
      invalidatesTags: (_answer, error, { of, id, method }) =>
        invalidatedTags(of, error, method === 'PUT' ? id : undefined),
    }),
  }),
});

/** A list, by the contract's parameters. */
export const useListQuery = <T>(of: ResourceKey, params: object, options?: QueryOptions) =>
  resourceApi.useResourceListQuery({ of, params: { ...params } }, options) as Loaded<Page<T>>;

/** One thing; nothing is asked for where the contract has no call for that. */
export const useOneQuery = <T extends Row>(of: ResourceKey, id: string | null, options?: QueryOptions) =>
  resourceApi.useResourceOneQuery(
    { of, id: id ?? '' },
    { ...options, skip: options?.skip || !id || !callsOf(of).get },
  ) as Loaded<T>;

/** Numbers of what a list shows. */
export const useSummaryQuery = (of: ResourceKey, params: object) =>
  resourceApi.useResourceSummaryQuery({ of, params: { ...params } }) as Loaded<Record<string, number>>;

/** Sends a call; for the store's `dispatch`. */
type Send = <T>(action: unknown) => Promise<MutationResult<T>>;

/** What changes things of a resource. `dispatch` is the store's. */
export function changesOf<T extends Row>(of: ResourceKey, dispatch: unknown) {
  const send = dispatch as Send;
  const { create, id: name = 'id' } = callsOf(of);
  const { addResource, changeResource, resourceOne } = resourceApi.endpoints;
  const put = (id: string, version: unknown, body: object) =>
    send<T>(changeResource.initiate({ of, id, method: 'PUT', version: asVersion(version), body }));
  return {
    /** What is known by a name of its own is put at its name. */
    create: (input: object) => {
      if (create) return send<T>(addResource.initiate({ of, body: input }));
      const { [name]: id, ...rest } = input as Params;
      return put(String(id), undefined, rest);
    },
    update: put,
    /** `params` is what the call needs besides. */
    remove: (id: string, version: unknown, params?: object) =>
      send<unknown>(changeResource.initiate({ of, id, method: 'DELETE', version: asVersion(version), params })),
    /** The thing as it is now. */
    newest: (id: string) => send<T>(resourceOne.initiate({ of, id }, { forceRefetch: true, subscribe: false })),
  };
}

const asVersion = (version: unknown) => (version === undefined ? undefined : String(version));
