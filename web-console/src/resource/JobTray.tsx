import { ActionIcon, Anchor, Text } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import classes from './JobTray.module.css';
import { JobLine } from './JobLine';
import { JobState } from './JobState';
import { isOngoing, JOBS_PATH, useFollowedJobs, type FollowedJob } from './jobs';
import { useFolding } from './useFolding';
import { useJobLabel } from './useJobLabel';

/** The jobs of this person, on every screen but that of all jobs. */
export function JobTray() {
  const jobs = useFollowedJobs();
  const { pathname } = useLocation();
  const newest = jobs.at(-1);
  if (pathname === JOBS_PATH || !newest) return null;
  return <Tray jobs={jobs} newest={newest} />;
}

interface TrayProps {
  jobs: readonly FollowedJob[];
  newest: FollowedJob;
}

function Tray({ jobs, newest }: TrayProps) {
  const { t } = useTranslation('resource');
  const { folded, setFolded, within } = useFolding(jobs.map((each) => `${each.id} ${isOngoing(each)}`).join());
  const Chevron = folded ? IconChevronUp : IconChevronDown;
  return (
    <section className={classes.tray} aria-label={t('jobs.title')} {...within}>
      <div className={classes.head}>
        {folded ? <Newest followed={newest} others={jobs.length - 1} /> : <AllJobs />}
        <ActionIcon
          aria-label={folded ? t('jobs.expand') : t('jobs.collapse')}
          aria-expanded={!folded}
          onClick={() => setFolded(!folded)}
        >
          <Chevron size={16} aria-hidden="true" />
        </ActionIcon>
      </div>
      {!folded && (
        <ul className={classes.jobs}>
          {jobs.map((each) => (
            <JobLine key={each.id} followed={each} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Leads to all jobs. */
function AllJobs() {
  const { t } = useTranslation('resource');
  return (
    <Anchor component={Link} to={JOBS_PATH} size="sm">
      {t('jobs.all')}
    </Anchor>
  );
}

/** What is left of it when it has folded: how far the last one is. */
function Newest({ followed: { job, label }, others }: { followed: FollowedJob; others: number }) {
  const labelOf = useJobLabel();
  return (
    <Text size="sm" className={classes.newest}>
      <span className={classes.label}>{label ?? labelOf(job)}</span>
      <span role="status" className="tabular">
        <JobState job={job} />
      </span>
      {others > 0 && <span className="tabular">+{others}</span>}
    </Text>
  );
}
