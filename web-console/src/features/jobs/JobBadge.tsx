import { StatusBadge, type StatusTone } from '@/components/StatusBadge';
import { JobState } from '@/resource/JobState';
import type { Job } from '@/resource/jobs';

/** What the state of a job means for its reader. */
export function toneOf({ status, failed }: Pick<Job, 'status' | 'failed'>): StatusTone {
  switch (status) {
    case 'completed':
      return failed > 0 ? 'warning' : 'positive';
    case 'failed':
      return 'negative';
    case 'running':
      return 'info';
    case 'queued':
    case 'cancelled':
      return 'neutral';
  }
}

/** How far a job is, or how it ended, with a mark. */
export const JobBadge = ({ job }: { job: Job }) => (
  <StatusBadge tone={toneOf(job)}>
    <JobState job={job} />
  </StatusBadge>
);
