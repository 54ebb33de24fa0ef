import { ActionIcon, Button, Group, Progress, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import { Link } from 'react-router';
import type { Dispatch } from '@/api/direct';
import { toastError } from '@/lib/toast';
import classes from './JobTray.module.css';
import { JobState, shareOf } from './JobState';
import { dismissJob, isOngoing, JOBS_PATH, type FollowedJob } from './jobs';
import { stopFollowed } from './stopJob';
import { UndoJob } from './UndoJob';
import { useJobLabel } from './useJobLabel';

/** Where all is told of one. */
const pathOf = ({ service, id }: FollowedJob) =>
  `${JOBS_PATH}?${new URLSearchParams({ service, open: id }).toString()}`;

/** One job: how far it is, what stops it, and where the rest is told. */
export function JobLine({ followed }: { followed: FollowedJob }) {
  const { t } = useTranslation('resource');
  const dispatch = useDispatch<Dispatch>();
  const { job } = followed;
  const labelOf = useJobLabel();
  // In the words of who began it, else in those of its act.
  const label = followed.label ?? labelOf(job);
  const ongoing = isOngoing(followed);
  const stop = async () => {
    if (!(await dispatch(stopFollowed(followed)))) toastError(t('jobs.stopFailed'));
  };
  return (
    <li className={classes.job}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={500} className={classes.label} title={label}>
          {label}
        </Text>
        {ongoing ? (
          <Button size="compact-sm" variant="default" onClick={() => void stop()}>
            {t('jobs.stop')}
          </Button>
        ) : (
          <ActionIcon aria-label={t('jobs.dismiss')} onClick={() => dismissJob(followed.id)}>
            <IconX size={16} aria-hidden="true" />
          </ActionIcon>
        )}
      </Group>
      {ongoing && <Progress value={shareOf(job)} aria-label={label} />}
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" role="status" className="tabular">
          <JobState job={job} />
        </Text>
        <Group gap="2xs">
          <Button component={Link} to={pathOf(followed)} size="compact-sm" variant="subtle">
            {job?.failed ? t('jobs.showFailures') : t('jobs.details')}
          </Button>
          {job && <UndoJob job={job} />}
        </Group>
      </Group>
    </li>
  );
}
