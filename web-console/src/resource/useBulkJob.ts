import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import { direct, type Dispatch } from '@/api/direct';
import { actErrorText } from '@/i18n/errorText';
import type { Selection } from '@/lib/selection';
import type { Act } from './defineResource';
import { followJob, type Job } from './jobs';

interface BulkJobOptions<T> {
  /** Where the list is. */
  path: string;
  selection: Selection<T>;
  /** What finds all that is chosen, when everything is. */
  filter: object;
  /** What is said when no job was started. */
  failure: string;
}

/** The question before something is done to several rows, and the job that does it, whatever becomes of selection and page. */
export function useBulkJob<T>({ path, selection, filter, failure }: BulkJobOptions<T>) {
  const { t } = useTranslation();
  const dispatch = useDispatch<Dispatch>();
  const [opened, setOpened] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const close = () => setOpened(false);
  const send = (act: Act) => {
    const which = selection.everything ? { filter } : { ids: [...selection.rows.keys()] };
    const call = { url: `${path}/bulk`, method: 'POST', body: { ...which, ...act } };
    return dispatch(direct<Job>(call, new AbortController().signal));
  };
  const started = (job: Job, label: string) => {
    close();
    selection.clear();
    followJob({ service: job.service, id: job.id, label, job });
  };
  const start = async (act: Act, label: string) => {
    setBusy(true);
    setProblem(null);
    const { data, error } = await send(act);
    setBusy(false);
    if (data) started(data, label);
    else setProblem(`${failure} ${actErrorText(error, t)}`);
  };
  const ask = () => {
    setProblem(null);
    setOpened(true);
  };
  return { opened, busy, problem, ask, close, send, started, start };
}
