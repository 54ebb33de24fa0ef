import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCancelJobMutation } from '@/api/calls/jobs';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { errorText } from '@/i18n/errorText';
import type { Job } from '@/resource/jobs';

/** Stops a job, after asking: what is done stays done. */
export function StopJob({ job }: { job: Job }) {
  const { t } = useTranslation('jobs');
  const { t: common } = useTranslation();
  const { t: words } = useTranslation('resource');
  const [asked, setAsked] = useState(false);
  const [stop, { isLoading, isSuccess, error, reset }] = useCancelJobMutation();
  const confirm = async () => {
    const { error: refused } = await stop({ service: job.service, id: job.id });
    if (!refused) setAsked(false);
  };
  const ask = () => {
    reset();
    setAsked(true);
  };
  return (
    <>
      <Button size="compact-sm" variant="default" disabled={isSuccess} onClick={ask}>
        {isSuccess ? t('stopping') : words('jobs.stop')}
      </Button>
      <ConfirmDialog
        opened={asked}
        title={t('stop.title')}
        text={job.is_trial ? t('stop.trial') : t('stop.text')}
        confirmLabel={words('jobs.stop')}
        busy={isLoading}
        problem={error ? `${words('jobs.stopFailed')} ${errorText(error, common)}` : null}
        onConfirm={() => void confirm()}
        onCancel={() => setAsked(false)}
      />
    </>
  );
}
