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
  /** Its items are only tried: nothing has come of it yet, or ever will. */
  is_trial: boolean;
  error?: string;
  /** Why it could not go on, for people. */
  message?: string;
}

/** One thing that a job could not do something to. */
export interface JobItem {
  item_id: string;
  name: string;
  message?: string;
  /** What is wrong with each field. */
  fields?: Record<string, string>;
}

/** A job that the page follows: until it has been asked for, nothing is known of it but which it is. */
export interface FollowedJob {
  service: string;
  id: string;
  /** What it does, in the words of who began it. */
  label?: string;
  job?: Job;
}

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

/** Where a job is. */
export const addressOf = ({ service, id }: Pick<Job, 'service' | 'id'>): string =>
  `/api/v1/jobs/${service}/${encodeURIComponent(id)}`;

const ask =
  (each: FollowedJob) =>
  async (dispatch: Dispatch): Promise<void> => {
    const { data, error } = await dispatch(direct<Job>({ url: addressOf(each) }, NO_SIGNAL));
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

/** The call that stops a job; what it has done stays done. */
export const stopJob = (each: Pick<Job, 'service' | 'id'>) =>
  direct<Job>({ url: `${addressOf(each)}/cancel`, method: 'POST' }, NO_SIGNAL);

/** Stops a job that is followed. Whether that could be said. */
export const cancelJob =
  (each: FollowedJob) =>
  async (dispatch: Dispatch): Promise<boolean> => {
    const { error } = await dispatch(stopJob(each));
    await dispatch(ask(each));
    return error === undefined;
  };

/** The call for a file that takes back what a job did, when it is imported. */
export const undoFile = (each: FollowedJob) => ({ url: `${addressOf(each)}/undo`, params: { format: 'xlsx' } });

/** The first of what a job could not do, and how much there is of it. */
export const jobFailures = (each: FollowedJob, signal: AbortSignal) =>
  direct<{ items: JobItem[]; total: number }>(
    { url: `${addressOf(each)}/items`, params: { status: 'failed', page: 1, page_size: 100 } },
    signal,
  );

/** Jobs of one's own that go on, also those that another page has begun. */
const findRunning =
  (service: string) =>
  async (dispatch: Dispatch): Promise<void> => {
    const { data } = await dispatch(direct<{ items?: Job[] }>({ url: '/api/v1/jobs', params: { service } }, NO_SIGNAL));
    for (const job of data?.items ?? []) {
      const each = { service, id: job.id, job };
      if (isOngoing(each) && !followed.some(({ id }) => id === job.id)) followJob(each);
    }
  };

const SERVICES = [...new Set(RESOURCE_ENTRIES.flatMap(([, { service }]) => service ?? []))];

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
      for (const each of followed.filter(isOngoing)) void dispatch(ask(each));
    };
    look();
    const timer = setInterval(look, POLL_MS);
    return () => clearInterval(timer);
  }, [dispatch, ongoing]);
}
