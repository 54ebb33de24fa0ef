import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import type { Dispatch } from '@/api/direct';
import { actErrorText } from '@/i18n/errorText';
import type { ImportMissing, Job } from '../jobs';
import type { ResourceKey } from '../registry';
import { stopJob } from '../stopJob';
import { useResourceTexts } from '../texts';
import type { ImportReport } from './importCalls';
import { awaitTrial } from './trial';

/** How a trial stands; empty before there is one. */
interface Trial {
  /** While its end is waited for. */
  job?: Job;
  report?: ImportReport;
  /** What the file names that there is not. */
  missing?: ImportMissing[];
  /** Why there is no report. */
  problem?: string;
}

/** A file that is tried out: how far that is, and what came of it. Nobody needs a trial that was left, so it is stopped. */
export function useTrial(key: ResourceKey) {
  const { t } = useResourceTexts(key);
  const { t: common } = useTranslation();
  const dispatch = useDispatch<Dispatch>();
  const [trial, setTrial] = useState<Trial>({});
  /** Stops the one that goes on. */
  const stop = useRef<() => void>(null);
  useEffect(() => () => stop.current?.(), []);

  const follow = async (begun: Job) => {
    stop.current?.();
    const waiting = new AbortController();
    stop.current = () => {
      waiting.abort();
      void dispatch(stopJob(begun));
    };
    const { missing } = begun;
    setTrial({ job: begun, missing });
    const outcome = await dispatch(awaitTrial(begun, waiting.signal, (job) => setTrial({ job, missing })));
    if (waiting.signal.aborted) return;
    stop.current = null;
    const { data, error, ended } = outcome;
    if (data) setTrial({ report: data, missing });
    else setTrial({ problem: error ? actErrorText(error, common) : (ended?.message ?? t('import.unchecked')) });
  };

  const leave = () => {
    stop.current?.();
    stop.current = null;
    setTrial({});
  };

  return { ...trial, follow, leave };
}
