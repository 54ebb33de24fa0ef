import { Button, Group, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { useGetJobQuery } from '@/api/calls/jobs';
import { DetailDrawer } from '@/components/DetailDrawer';
import { DrawerText, Fact, Facts } from '@/components/Facts';
import { useFormats } from '@/i18n/useFormats';
import { IMPORT } from '@/lib/drawerParam';
import { shareOf } from '@/resource/JobState';
import { isOver, type Job } from '@/resource/jobs';
import { EntityName } from '@/resource/names';
import { mayDo, REGISTRY, resourceOfKind } from '@/resource/registry';
import { useNouns } from '@/resource/texts';
import { UndoJob } from '@/resource/UndoJob';
import { useJobLabel } from '@/resource/useJobLabel';
import { selectPerson } from '@/session/sessionSlice';
import { FailedItems } from './FailedItems';
import { ImportOutcome } from './ImportOutcome';
import { JobBadge } from './JobBadge';
import classes from './JobDrawer.module.css';
import { StopJob } from './StopJob';
import { useAskAgain } from './useAskAgain';
import { useWhose } from './useJobList';

interface JobDrawerProps {
  service: string;
  id: string;
  /** The page of the list behind, to go through one by one. */
  neighbours: readonly Job[];
  onShow: (id: string) => void;
  onClose: () => void;
}

/** One job: how far it is, what stops it or takes it back, and what came of it. */
export function JobDrawer({ service, id, neighbours, onShow, onClose }: JobDrawerProps) {
  const { t } = useTranslation('jobs');
  const labelOf = useJobLabel();
  const { currentData, error, isFetching, refetch } = useGetJobQuery(
    { service, id },
    { refetchOnMountOrArgChange: true },
  );
  const place = neighbours.findIndex((each) => each.id === id);
  const job = currentData as Job | undefined;
  useAskAgain(job ? [job] : [], refetch);
  const to = (neighbour: Job | undefined) => (neighbour ? () => onShow(neighbour.id) : null);
  const failure = { failure: t('openFailed'), error: isFetching ? undefined : error, onRetry: () => void refetch() };
  return (
    <DetailDrawer
      size={720}
      title={labelOf(job ?? neighbours[place])}
      previous={place < 0 ? undefined : to(neighbours[place - 1])}
      next={place < 0 ? undefined : to(neighbours[place + 1])}
      load={job ? undefined : failure}
      onClose={onClose}
    >
      {job && <Details job={job} />}
    </DetailDrawer>
  );
}

function Details({ job }: { job: Job }) {
  const { t } = useTranslation('jobs');
  const formats = useFormats();
  const { ofOthers, ofTenants } = useWhose();
  const labelOf = useJobLabel();
  const of = resourceOfKind(job.resource);
  const over = isOver(job);
  return (
    <DrawerText>
      {!over && <Progress value={shareOf(job)} aria-label={labelOf(job)} />}
      <Facts>
        <Fact label={t('field.status')}>
          <span role="status">
            <JobBadge job={job} />
          </span>
        </Fact>
        <Fact label={t('field.created_at')}>{formats.dateTime(job.created_at)}</Fact>
        {job.finished_at && <Fact label={t('field.finished_at')}>{formats.dateTime(job.finished_at)}</Fact>}
        {ofOthers && (
          <Fact label={t('field.created_by')}>
            <EntityName of="users" id={job.created_by} absent="–" />
          </Fact>
        )}
        {ofTenants && (
          <Fact label={t('field.tenant_id')}>
            {job.tenant_id ? <EntityName of="tenants" id={job.tenant_id} absent="–" /> : t('platform')}
          </Fact>
        )}
      </Facts>
      {job.is_trial && <Text c="dimmed">{t('trial')}</Text>}
      <Group gap="xs" className={classes.acts}>
        {over ? <UndoJob job={job} look="default" /> : <StopJob job={job} />}
        {over && job.is_trial && <ImportAgain job={job} />}
      </Group>
      {of && over && job.kind === 'import' && <ImportOutcome job={job} of={of} />}
      {of && job.kind !== 'import' && job.failed > 0 && <FailedItems job={job} of={of} />}
    </DrawerText>
  );
}

/** Leads to where the file that was tried is taken in: the server does not keep it. */
function ImportAgain({ job }: { job: Job }) {
  const { t } = useTranslation('resource');
  const nouns = useNouns();
  const person = useSelector(selectPerson);
  const of = resourceOfKind(job.resource);
  if (!of || !mayDo(of, 'create', person)) return null;
  return (
    <Button component={Link} to={`${REGISTRY[of].path}?open=${IMPORT}`} size="compact-sm" variant="default">
      {t('import.title', nouns(of))}
    </Button>
  );
}
