import { useEffect, useSyncExternalStore } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { api } from '@/api/api';
import { direct, type Dispatch } from '@/api/direct';
import { selectPerson } from '@/session/sessionSlice';
import { RESOURCE_ENTRIES, resourceOfKind } from './registry';

/** Something that the server does to many things, and how far it is. */
export interface Job {
  id: string;
  service: string;
  kind: string;
  resource: string;
  action: string;
  status: 'queued' | 'running' | 'completed' | 'cancelled' | 'failed';
  total: number;
  done: number;
  failed: number;
  /** Who began it. */
  created_by: string;
  created_at: string;
  finished_at?: string;
  /** Of who began it; platform owners have none. */
  tenant_id?: string;
  /** Its items are only tried: nothing has come of it yet, or ever will. */
  is_trial: boolean;
  /** What it did can be taken back. */
  can_be_undone: boolean;
  /** The one that took it back. */
  undone_by?: string;
  error?: string;
  /** Why it could not go on, for people. */
  message?: string;
  /** In the answer that starts an import: what the file names that there is not. */
  missing?: ImportMissing[];
}

/** Names in a column of a file of which there is nothing yet. */
export interface ImportMissing {
  field: string;
  count: number;
  /** The first of them. */
  names: string[];
  may_create: boolean;
}

/** A job that the page follows: until it has been asked for, nothing is known of it but which it is. */
export interface FollowedJob {
  service: string;
  id: string;
  /** What it does, in the words of who began it. */
  label?: string;
  job?: Job;
}

/** The screen of all jobs. */
export const JOBS_PATH = '/jobs';
const POLL_MS = 1_000;
const NO_SIGNAL = new AbortController().signal;
const keyOf = (personId: string) => `jobs.${personId}`;

let followed: readonly FollowedJob[] = [];
let owner = '';
const listeners = new Set<() => void>();

function put(next: readonly FollowedJob[]): void {
  followed = next;
  const kept = next.map(({ service, id, label }) => ({ service, id, label }));
  try {
    sessionStorage.setItem(keyOf(owner), JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing finds running jobs in the server's list.
  }
  for (const each of listeners) each();
}

function storedJobs(personId: string): FollowedJob[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(personId)) ?? '[]');
    return Array.isArray(stored) ? (stored as FollowedJob[]) : [];
  } catch {
    return [];
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Follows a job from now on, whatever becomes of the screen that began it. */
export const followJob = (job: FollowedJob): void => put([...followed.filter(({ id }) => id !== job.id), job]);

/** Follows a job no more. */
export const dismissJob = (id: string): void => put(followed.filter((each) => each.id !== id));

/** The jobs that the page follows. */
export const useFollowedJobs = (): readonly FollowedJob[] => useSyncExternalStore(subscribe, () => followed);

/** Whether nothing becomes of a job any more. */
export const isOver = ({ status }: Job): boolean => status !== 'queued' && status !== 'running';

/** Whether a job goes on, as far as that is known. */
export const isOngoing = ({ job }: FollowedJob): boolean => !job || !isOver(job);

/** Where the server has a job. */
export const addressOf = ({ service, id }: Pick<Job, 'service' | 'id'>): string =>
  `/api/v1/jobs/${service}/${encodeURIComponent(id)}`;

/** Jobs that are being asked for. */
const asking = new Set<string>();

/** Asks how far a job is that is followed, unless the last question is not answered yet. */
export const askJob =
  (each: FollowedJob) =>
  async (dispatch: Dispatch): Promise<void> => {
    if (asking.has(each.id)) return;
    asking.add(each.id);
    const { data, error } = await dispatch(direct<Job>({ url: addressOf(each) }, NO_SIGNAL));
    asking.delete(each.id);
    if (error?.status === 404) return dismissJob(each.id);
    if (!data) return;
    const before = followed.find(({ id }) => id === each.id);
    put(followed.map((other) => (other.id === each.id ? { ...other, job: data } : other)));
    const moved =
      data.done !== (before?.job?.done ?? 0) || (before && isOngoing(before) && !isOngoing({ ...each, job: data }));
    // What it has changed is shown somewhere; what is only tried changes nothing.
    const changed = resourceOfKind(data.resource);
    if (moved && changed && !data.is_trial) dispatch(api.util.invalidateTags([changed]));
  };

/** Jobs of one's own that go on, also those that another page has begun. */
const findRunning =
  (service: string) =>
  async (dispatch: Dispatch): Promise<void> => {
    const call = { url: '/api/v1/jobs', params: { service, status: ['queued', 'running'] } };
    const { data } = await dispatch(direct<{ items?: Job[] }>(call, NO_SIGNAL));
    for (const job of data?.items ?? []) {
      // Admins see those of others, too.
      const isNew = job.created_by === owner && !followed.some(({ id }) => id === job.id);
      if (isNew) followJob({ service, id: job.id, job });
    }
  };

/** The services that have jobs. */
export const SERVICES = [...new Set(RESOURCE_ENTRIES.flatMap(([, { service }]) => service ?? []))];

/** Keeps what is known of the jobs up to date; for the shell. */
export function useJobPolling(): void {
  const dispatch = useDispatch<Dispatch>();
  const personId = useSelector(selectPerson)?.id ?? '';
  const jobs = useFollowedJobs();
  const ongoing = jobs.some(isOngoing);
  useEffect(() => {
    if (owner !== personId) followed = [];
    owner = personId;
    const known = new Set(followed.map(({ id }) => id));
    put([...followed, ...storedJobs(personId).filter(({ id }) => !known.has(id))]);
    for (const service of SERVICES) void dispatch(findRunning(service));
  }, [dispatch, personId]);
  useEffect(() => {
    if (!ongoing) return;
    const look = () => {
      for (const each of followed.filter(isOngoing)) void dispatch(askJob(each));
    };
    look();
    const timer = setInterval(look, POLL_MS);
    return () => clearInterval(timer);
  }, [dispatch, ongoing]);
}
