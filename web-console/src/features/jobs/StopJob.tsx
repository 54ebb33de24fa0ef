import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCancelJobMutation } from '@/api/calls/jobs';
import { AskedAct } from '@/resource/AskedAct';
import type { Job } from '@/resource/jobs';

/** Stops a job, after asking: what is done stays done. */
export function StopJob({ job }: { job: Job }) {
  const { t } = useTranslation('jobs');
  const { t: words } = useTranslation('resource');
  const [stopping, setStopping] = useState(false);
  const [stop] = useCancelJobMutation();
  if (stopping) {
    return (
      <Button size="compact-sm" variant="default" disabled>
        {t('stopping')}
      </Button>
    );
  }
  return (
    <AskedAct
      label={words('jobs.stop')}
      look="default"
      title={t('stop.title')}
      text={job.is_trial ? t('stop.trial') : t('stop.text')}
      failure={words('jobs.stopFailed')}
      send={() => stop({ service: job.service, id: job.id })}
      onDone={() => setStopping(true)}
    />
  );
}
