import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUndoJobMutation } from '@/api/calls/jobs';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { errorText } from '@/i18n/errorText';
import { useFormats } from '@/i18n/useFormats';
import { followJob, type Job } from './jobs';

/** Takes back what a job did, after asking: that is a job as well. Of one that did nothing of the kind there is nothing. */
export function UndoJob({ job, look = 'subtle' }: { job: Job; look?: 'subtle' | 'default' }) {
  const { t } = useTranslation('resource');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const [asked, setAsked] = useState(false);
  const [undo, { isLoading, isSuccess, error, reset }] = useUndoJobMutation();
  const confirm = async () => {
    const { data } = await undo({ service: job.service, id: job.id });
    if (!data) return;
    followJob({ service: data.service, id: data.id });
    setAsked(false);
  };
  const ask = () => {
    reset();
    setAsked(true);
  };
  if (job.undone_by || isSuccess) return <Text size="sm">{t('jobs.undone')}</Text>;
  if (!job.can_be_undone) return null;
  return (
    <>
      <Button size="compact-sm" variant={look} onClick={ask}>
        {t('jobs.undo')}
      </Button>
      <ConfirmDialog
        opened={asked}
        title={t('jobs.undoTitle')}
        text={t('jobs.undoText', { done: formats.number(job.done) })}
        confirmLabel={t('jobs.undo')}
        busy={isLoading}
        problem={error ? `${t('jobs.undoFailed')} ${errorText(error, common)}` : null}
        onConfirm={() => void confirm()}
        onCancel={() => setAsked(false)}
      />
    </>
  );
}
