import { REGISTRY, type ResourceEntry } from '@/resource/registry';
import { api } from './api';
import { isApiError } from './errors';
import type { Kind } from './generatedKinds';

/** Of a call the kind of things, what it does to them, and where it is about one, the argument that says which. */
type Effect = readonly [kind: Kind, does: 'list' | 'read' | 'add' | 'change' | 'remove', id?: string];
type Tag = Kind | { type: Kind; id: string };
interface Tags {
  providesTags?: (answer: unknown, error: unknown, arg: never) => Tag[];
  invalidatesTags?: (answer: unknown, error: unknown, arg: never) => Tag[];
  keepUnusedDataFor?: number;
}

const one = (kind: Kind, id: string) => ({ type: kind, id });
const listOf = (kind: Kind) => one(kind, 'LIST');
const idIn = (thing: unknown, name: string) => String((thing as Record<string, unknown> | undefined)?.[name] ?? '');

/** Kinds whose rows show names or numbers of things of this kind, as the registry says. */
const showing = (kind: Kind): Kind[] =>
  (Object.entries(REGISTRY) as [Kind, ResourceEntry][]).flatMap(([other, { shows }]) =>
    shows?.includes(kind) ? [other] : [],
  );

/** A change that failed changed nothing, unless somebody else was faster: then what is shown is old. */
const isOvertaken = (error: unknown) => isApiError(error) && [404, 409, 412].includes(error.status);

/** What something shows that lists things of a kind; `name` is what their ids are called. */
export function shownInList(kind: Kind, answer: unknown, name = 'id'): Tag[] {
  const items = (answer as { items?: unknown[] } | undefined)?.items ?? [];
  return [listOf(kind), ...items.map((item) => one(kind, idIn(item, name)))];
}

/** What something shows that shows one thing. */
export const shownAlone = (kind: Kind, id: string): Tag[] => [one(kind, id)];

/** What is old when things of a kind have been added or removed, or the one of this id has been changed. */
export function invalidatedTags(kind: Kind, error: unknown, id?: string): Tag[] {
  if (error && !isOvertaken(error)) return [];
  // What is gone is not asked for again.
  return [listOf(kind), ...(id === undefined ? [] : [one(kind, id)]), ...showing(kind)];
}

/** What a call shows, or makes old. */
function tagsOf([kind, does, name = 'id']: Effect): Tags {
  switch (does) {
    case 'list':
      return { providesTags: (answer) => shownInList(kind, answer, name) };
    case 'read':
      return { providesTags: (_answer, _error, arg) => shownAlone(kind, idIn(arg, name)) };
    case 'change':
      return { invalidatesTags: (_answer, error, arg) => invalidatedTags(kind, error, idIn(arg, name)) };
    default:
      return { invalidatesTags: (_answer, error) => invalidatedTags(kind, error) };
  }
}

const ACCESS: Tag[] = [listOf('device-members'), listOf('devices'), listOf('users'), 'roles', 'permissions'];
const unlessFailed = (error: unknown, tags: Tag[]) => (error && !isOvertaken(error) ? [] : tags);

interface OfId {
  id: string;
}

const ofDevice = (_answer: unknown, error: unknown, { id }: OfId) => unlessFailed(error, [one('devices', id)]);

/** Calls of which more is to be said than what the contract says, by name. */
const SPECIAL: Partial<Record<string, Tags>> = {
  // Who is in which group stands in devices, what groups are called and lie in, in the master data.
  listDeviceGroups: { providesTags: () => [listOf('devices'), listOf('master-data')] },
  // It is made of the address of its device, which stays as it is.
  sendCommand: { invalidatesTags: () => [listOf('commands')] },
  listDriverAssignments: { providesTags: () => [listOf('devices'), listOf('drivers')] },
  // They are named in the request, not in its address.
  acknowledgeAlarms: { invalidatesTags: (_answer, error) => unlessFailed(error, ['alarms']) },
  // Who sees what follows from links, and from who may sign in and do what.
  listDeviceAccess: { providesTags: (_answer, _error, { id }: OfId) => [one('devices', id), ...ACCESS] },
  // The newest correction of a device is undone, or a replacement of its tracker; the device stays.
  undoMeterCorrection: { invalidatesTags: ofDevice },
  withdrawTrackerReplacement: { invalidatesTags: ofDevice },
  // What vehicles do now, and their trips and stops of the past, follow from them.
  updateThresholds: { invalidatesTags: (_answer, error) => unlessFailed(error, [listOf('thresholds'), 'devices']) },
  // The browser knows it for longer than a screen is open, and maybe by now better than an answer of before.
  getPreference: { keepUnusedDataFor: 0 },
  getUserAccess: { providesTags: (_answer, _error, { id }: OfId) => [one('users', id), ...ACCESS] },
  userDecisions: { providesTags: (_answer, _error, { id }: OfId) => [one('users', id), 'roles', 'permissions'] },
};

/**
 * Says of generated calls what they show or make old, by id, so that a change refetches what shows it and nothing else.
 * Calls that it is not said of are in `untagged.json`, each with the reason.
 */
export function tagCalls(effects: Readonly<Record<string, Effect>>): void {
  const endpoints = Object.entries(effects).map(([name, effect]) => [name, { ...tagsOf(effect), ...SPECIAL[name] }]);
  api.enhanceEndpoints({ endpoints: Object.fromEntries(endpoints) as object });
}
