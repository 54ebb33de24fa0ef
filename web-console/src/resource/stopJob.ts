import { direct, type Dispatch } from '@/api/direct';
import { addressOf, askJob, type FollowedJob, type Job } from './jobs';

/** The call that stops a job; what it has done stays done. */
export const stopJob = (each: Pick<Job, 'service' | 'id'>) =>
  direct<Job>({ url: `${addressOf(each)}/cancel`, method: 'POST' }, new AbortController().signal);

/** Stops a job that is followed. Whether that could be said. */
export const stopFollowed =
  (each: FollowedJob) =>
  async (dispatch: Dispatch): Promise<boolean> => {
    const { error } = await dispatch(stopJob(each));
    await dispatch(askJob(each));
    return error === undefined;
  };
