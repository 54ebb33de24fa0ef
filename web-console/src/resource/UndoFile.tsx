import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import type { Dispatch } from '@/api/direct';
import { download, saveFile } from '@/api/download';
import { errorText } from '@/i18n/errorText';
import { toastError, toastInfo } from '@/lib/toast';
import { callsOf } from './calls';
import { addressOf, isOver, type Job } from './jobs';
import { resourceOfKind } from './registry';

/** Whether there is something that a file could take back. */
function canBeUndone(job: Job): boolean {
  const resource = resourceOfKind(job.resource);
  const takenBack = ['import', 'update', 'delete'].includes(job.action);
  return isOver(job) && job.done > 0 && !job.is_trial && takenBack && !!resource && !!callsOf(resource).imports;
}

/** Gets a file that takes back what a job did, when it is imported; of one that did nothing of the kind there is none. */
export function UndoFile({ job, look = 'subtle' }: { job: Job; look?: 'subtle' | 'default' }) {
  const { t } = useTranslation();
  const { t: words } = useTranslation('resource');
  const dispatch = useDispatch<Dispatch>();
  const [busy, setBusy] = useState(false);
  const fetch = async () => {
    setBusy(true);
    const call = { url: `${addressOf(job)}/undo`, params: { format: 'xlsx' } };
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    const { data, error } = await dispatch(download(call, options));
    setBusy(false);
    if (!data) return toastError(`${words('jobs.undoFailed')} ${errorText(error, t)}`);
    saveFile(data);
    toastInfo(words('jobs.undoHint'));
  };
  if (!canBeUndone(job)) return null;
  return (
    <Button size="compact-sm" variant={look} disabled={busy} onClick={() => void fetch()}>
      {words('jobs.undo')}
    </Button>
  );
}
