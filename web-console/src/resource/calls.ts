import { api } from '@/api/api';
import { RESOURCES } from '@/api/generatedCalls';
import type { Page } from '@/api/types';
import type { MutationResult } from '@/lib/mutationResult';
import type { Row } from './fields';
import type { ResourceKey } from './registry';

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

/** A generated call, as far as the kit uses it: which one it is follows from the contract. */
interface Call {
  useQuery: (arg: object, options?: QueryOptions) => Loaded<unknown>;
  initiate: (arg: object, options?: object) => never;
}

interface ResourceCalls {
  path: string;
  list: string;
  query: readonly string[];
  exports?: boolean;
  imports?: boolean;
  get?: string;
  create?: string;
  update?: string;
  remove?: string;
  summary?: string;
  id?: string;
  input?: string;
  createBody?: string;
  updateBody?: string;
}

/** The calls of a resource, as the contract has them. */
export const callsOf = (key: ResourceKey): ResourceCalls => RESOURCES[key];

const call = (name: string) => (api.endpoints as unknown as Record<string, Call>)[name] as Call;
const camel = (name: string) => name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
const NOTHING = 'me';

/** Parameters by the names of the contract, as the generated client takes them. */
const asArgument = (params: object) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [camel(name), value]));

/** A list, by the contract's parameters. */
export const useListQuery = <T>(key: ResourceKey, params: object, options?: QueryOptions) =>
  call(callsOf(key).list).useQuery(asArgument(params), options) as Loaded<Page<T>>;

/** One thing; nothing is asked for where the contract has no call for that. */
export function useOneQuery<T extends Row>(key: ResourceKey, id: string | null, options?: QueryOptions) {
  const { get, id: name = 'id' } = callsOf(key);
  return call(get ?? NOTHING).useQuery({ [name]: id ?? '' }, { ...options, skip: !id || !get }) as Loaded<T>;
}

/** Numbers of what a list shows. */
export const useSummaryQuery = (key: ResourceKey, params: object) =>
  call(callsOf(key).summary ?? NOTHING).useQuery(asArgument(params)) as Loaded<Record<string, number>>;

/** Sends a call; for the store's `dispatch`. */
type Send = (action: never) => Promise<MutationResult<unknown>>;

/** What changes things of a resource. `dispatch` is the store's. */
export function changesOf<T extends Row>(key: ResourceKey, dispatch: unknown) {
  const { get, create, update, remove, id: name = 'id', createBody = '', updateBody = '' } = callsOf(key);
  const send = dispatch as Send;
  const of = (id: string, version?: unknown) => ({
    [name]: id,
    ...(version !== undefined && { 'If-Match': String(version) }),
  });
  return {
    /** What is known by a name of its own is put at its name. */
    create: (input: object) => {
      const { [name]: id, ...rest } = input as Record<string, unknown>;
      const made = create
        ? call(create).initiate({ [createBody]: input })
        : call(update ?? '').initiate({ ...of(String(id)), [updateBody]: rest });
      return send(made) as Promise<MutationResult<T>>;
    },
    update: (id: string, version: unknown, input: object) =>
      send(call(update ?? '').initiate({ ...of(id, version), [updateBody]: input })) as Promise<MutationResult<T>>,
    remove: (id: string, version: unknown, more?: object) =>
      send(call(remove ?? '').initiate({ ...of(id, version), ...more })),
    /** The thing as it is now. */
    newest: (id: string) =>
      send(call(get ?? '').initiate(of(id), { forceRefetch: true, subscribe: false })) as Promise<MutationResult<T>>,
  };
}
