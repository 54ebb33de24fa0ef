import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import type { Job } from './jobs';

const triedOf = ({ done, failed }: Job) => done + failed;

/** How much of a job is behind it, in percent. */
export const shareOf = (job: Job | undefined): number => (job?.total ? (triedOf(job) / job.total) * 100 : 0);

/** How far a job is, or how it ended. */
export function JobState({ job }: { job: Job | undefined }) {
  const { t } = useTranslation('resource');
  const formats = useFormats();
  if (!job || job.status === 'queued') return t('jobs.queued');
  if (job.status === 'failed') return t('jobs.failed', { error: job.message ?? job.error ?? '' });
  if (job.is_trial) return <TrialState job={job} />;
  const [done, failed, total] = [job.done, job.failed, job.total].map((value) => formats.number(value));
  switch (job.status) {
    case 'running':
      return t('jobs.progress', { done: formats.number(triedOf(job)), total });
    case 'completed':
      return job.failed > 0 ? t('jobs.partly', { done, failed }) : t('jobs.completed', { done });
    case 'cancelled':
      return t('jobs.cancelled', { done, total });
  }
}

/** The same of rows that are only tried: whoever reads it must not take them for done. */
function TrialState({ job }: { job: Job }) {
  const { t } = useTranslation('resource');
  const formats = useFormats();
  const done = formats.number(triedOf(job));
  switch (job.status) {
    case 'completed':
      return t('jobs.checked', { done, failed: formats.number(job.failed) });
    case 'cancelled':
      return t('jobs.checkStopped');
    default:
      return t('jobs.checking', { done, total: formats.number(job.total), count: job.total });
  }
}
