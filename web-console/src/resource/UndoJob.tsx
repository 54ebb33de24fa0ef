import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUndoJobMutation } from '@/api/calls/jobs';
import { useFormats } from '@/i18n/useFormats';
import { AskedAct } from './AskedAct';
import { followJob, type Job } from './jobs';

/** Takes back what a job did, after asking: that is a job as well. Of one that did nothing of the kind there is nothing. */
export function UndoJob({ job, look = 'subtle' }: { job: Job; look?: 'subtle' | 'default' }) {
  const { t } = useTranslation('resource');
  const formats = useFormats();
  const [undone, setUndone] = useState(false);
  const [undo] = useUndoJobMutation();
  if (job.undone_by || undone) return <Text size="sm">{t('jobs.undone')}</Text>;
  if (!job.can_be_undone) return null;
  return (
    <AskedAct<Pick<Job, 'service' | 'id'>>
      label={t('jobs.undo')}
      look={look}
      title={t('jobs.undoTitle')}
      text={t('jobs.undoText', { done: formats.number(job.done) })}
      failure={t('jobs.undoFailed')}
      send={() => undo({ service: job.service, id: job.id })}
      onDone={({ service, id }) => {
        followJob({ service, id });
        setUndone(true);
      }}
    />
  );
}
