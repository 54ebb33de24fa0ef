import { direct, type DirectResult, type Dispatch } from '@/api/direct';
import { addressOf, isOver, type Job } from '../jobs';
import type { ImportReport } from './importCalls';

/** Small files are soon tried; whoever waits for a large one does not see the difference. */
const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 1_000;
const PAUSE_GROWTH = 1.2;

/** What came of a trial: its report, or the job that ended without one. */
interface Outcome extends DirectResult<ImportReport> {
  ended?: Job;
}

const wait = (pause: number) => new Promise((resolve) => setTimeout(resolve, pause));

/** Answers that another try may have another one of: a session that is renewed, a server that is busy. */
const PASSING = [401, 408, 429];
const isFinal = (status: unknown) =>
  typeof status === 'number' && status >= 400 && status < 500 && !PASSING.includes(status);

/** Asks until there is an answer: a network that is away for a moment ends no trial. What is refused is not asked for again. */
const askUntilAnswered =
  <T>(url: string, signal: AbortSignal) =>
  async (dispatch: Dispatch): Promise<DirectResult<T>> => {
    for (;;) {
      const answer = await dispatch(direct<T>({ url }, signal));
      if (answer.data || isFinal(answer.error?.status) || signal.aborted) return answer;
      await wait(LAST_PAUSE_MS);
    }
  };

/** Waits for the end of a trial, and tells meanwhile how far it is. */
export const awaitTrial =
  (begun: Job, signal: AbortSignal, onProgress: (job: Job) => void) =>
  async (dispatch: Dispatch): Promise<Outcome> => {
    let job = begun;
    for (let pause = FIRST_PAUSE_MS; !isOver(job); pause = Math.min(pause * PAUSE_GROWTH, LAST_PAUSE_MS)) {
      await wait(pause);
      const { data, error } = await dispatch(askUntilAnswered<Job>(addressOf(begun), signal));
      if (!data) return { error };
      if (signal.aborted) return {};
      job = data;
      onProgress(job);
    }
    if (job.status !== 'completed') return { ended: job };
    return dispatch(askUntilAnswered<ImportReport>(`${addressOf(begun)}/import-report`, signal));
  };
