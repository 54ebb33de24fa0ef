import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import { direct, type Dispatch } from '@/api/direct';
import type { Device } from '@/api/types';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { actErrorText } from '@/i18n/errorText';
import { useFormats } from '@/i18n/useFormats';
import type { Selection } from '@/lib/selection';
import { followJob, type Job } from '@/resource/jobs';

const URL = '/api/v1/devices/bulk';

/** Brings the chosen devices back, as a job; of all that a search finds those that match when it begins. */
export function useRestoreMany(selection: Selection<Device>, q: string, total: number) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const dispatch = useDispatch<Dispatch>();
  const [opened, setOpened] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const count = selection.count(total);
  const restore = async () => {
    setBusy(true);
    setProblem(null);
    const which = selection.everything ? { filter: { q, deleted: true } } : { ids: [...selection.rows.keys()] };
    const call = { url: URL, method: 'POST', body: { ...which, restore: {} } };
    const { data: job, error } = await dispatch(direct<Job>(call, new AbortController().signal));
    setBusy(false);
    if (!job) return setProblem(`${t('trash.startFailed')} ${actErrorText(error, common)}`);
    setOpened(false);
    selection.clear();
    followJob({ service: job.service, id: job.id, label: t('trash.restore'), job });
  };
  const ask = () => {
    setProblem(null);
    setOpened(true);
  };
  return {
    ask,
    dialog: (
      <ConfirmDialog
        opened={opened}
        title={t('trash.confirmMany.title', { count, formatted: formats.number(count) })}
        text={t('trash.confirmMany.text')}
        confirmLabel={t('trash.restore')}
        busy={busy}
        problem={problem}
        onCancel={() => setOpened(false)}
        onConfirm={() => void restore()}
      />
    ),
  };
}
