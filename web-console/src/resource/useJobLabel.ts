import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from './jobs';
import { resourceOfKind } from './registry';
import { useNouns } from './texts';

const ACTIONS = ['delete', 'update', 'import', 'restore', 'set_roles', 'undo'] as const;

/** What a job does, in the words of its act; what is only tried is called so. */
export function useJobLabel(): (job: Job | undefined) => string {
  const { t } = useTranslation('resource');
  const nouns = useNouns();
  return useCallback(
    (job) => {
      const resource = job && resourceOfKind(job.resource);
      if (!resource) return t('jobs.title');
      const { many } = nouns(resource);
      if (job.is_trial) return t('jobs.check', { many });
      const act = ACTIONS.find((each) => each === job.action) ?? 'update';
      return t(`jobs.action.${act}`, { many });
    },
    [t, nouns],
  );
}
