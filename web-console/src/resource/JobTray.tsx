import { ActionIcon, Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import type { DirectResult, Dispatch } from '@/api/direct';
import { download, saveFile } from '@/api/download';
import { errorText } from '@/i18n/errorText';
import { useFormats } from '@/i18n/useFormats';
import { toastError, toastInfo } from '@/lib/toast';
import classes from './JobTray.module.css';
import { JobState, shareOf } from './JobState';
import { callsOf } from './calls';
import {
  cancelJob,
  dismissJob,
  isOngoing,
  jobFailures,
  undoFile,
  useFollowedJobs,
  type FollowedJob,
  type JobItem,
} from './jobs';
import { resourceOfKind } from './registry';
import { useNouns } from './texts';

/** The jobs of this person: how far they are, what stops them, and what they could not do. On every screen. */
export function JobTray() {
  const { t } = useTranslation('resource');
  const jobs = useFollowedJobs();
  const [shown, setShown] = useState<FollowedJob | null>(null);
  return (
    <section className={classes.tray} aria-label={t('jobs.title')}>
      <ul className={classes.jobs}>
        {jobs.map((each) => (
          <JobLine key={each.id} followed={each} onFailures={() => setShown(each)} />
        ))}
      </ul>
      {shown && <Failures followed={shown} onClose={() => setShown(null)} />}
    </section>
  );
}

/** What a job does: in the words of who began it, else in those of its act. */
function useLabel({ label, job }: FollowedJob): string {
  const { t } = useTranslation('resource');
  const nouns = useNouns();
  if (label) return label;
  const resource = job && resourceOfKind(job.resource);
  if (!resource) return t('jobs.title');
  const { many } = nouns(resource);
  const act = ACTIONS.find((each) => each === job.action) ?? 'update';
  return t(`jobs.action.${act}`, { many });
}

const ACTIONS = ['delete', 'update', 'import', 'restore'] as const;

function JobLine({ followed, onFailures }: { followed: FollowedJob; onFailures: () => void }) {
  const { t } = useTranslation('resource');
  const dispatch = useDispatch<Dispatch>();
  const label = useLabel(followed);
  const { job } = followed;
  const ongoing = isOngoing(followed);
  const stop = async () => {
    if (!(await dispatch(cancelJob(followed)))) toastError(t('jobs.stopFailed'));
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
          {!!job?.failed && (
            <Button size="compact-sm" variant="subtle" onClick={onFailures}>
              {t('jobs.showFailures')}
            </Button>
          )}
          {canBeUndone(followed) && <UndoFile followed={followed} />}
        </Group>
      </Group>
    </li>
  );
}

/** Whether there is something that a file could take back. */
function canBeUndone(each: FollowedJob): boolean {
  const resource = each.job && resourceOfKind(each.job.resource);
  const takenBack = ['import', 'update', 'delete'].includes(each.job?.action ?? '');
  const isDone = !isOngoing(each) && !!each.job?.done && !each.job.is_trial;
  return isDone && takenBack && !!resource && !!callsOf(resource).imports;
}

/** A file that takes back what was done. */
function UndoFile({ followed }: { followed: FollowedJob }) {
  const { t } = useTranslation(['common', 'resource']);
  const dispatch = useDispatch<Dispatch>();
  const [busy, setBusy] = useState(false);
  const fetch = async () => {
    setBusy(true);
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    const { data, error } = await dispatch(download(undoFile(followed), options));
    setBusy(false);
    if (!data) return toastError(`${t('resource:jobs.undoFailed')} ${errorText(error, t)}`);
    saveFile(data);
    toastInfo(t('resource:jobs.undoHint'));
  };
  return (
    <Button size="compact-sm" variant="subtle" disabled={busy} onClick={() => void fetch()}>
      {t('resource:jobs.undo')}
    </Button>
  );
}

/** Why an item failed: what is wrong with its fields, where it is that. */
const failureText = ({ message, fields }: JobItem) => Object.values(fields ?? {}).join(' ') || message;

function Failures({ followed, onClose }: { followed: FollowedJob; onClose: () => void }) {
  const { t } = useTranslation('resource');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const dispatch = useDispatch<Dispatch>();
  const [answer, setAnswer] = useState<DirectResult<{ items: JobItem[]; total: number }>>({});
  useEffect(() => {
    const abort = new AbortController();
    void dispatch(jobFailures(followed, abort.signal)).then((arrived) => {
      if (!abort.signal.aborted) setAnswer(arrived);
    });
    return () => abort.abort();
  }, [dispatch, followed]);
  const { data, error } = answer;
  return (
    <Modal opened onClose={onClose} title={t('jobs.failures')} zIndex={300}>
      <Stack aria-busy={!data && !error}>
        {error !== undefined && <Text>{`${t('jobs.loadFailed')} ${errorText(error, common)}`}</Text>}
        {data && (
          <div className={classes.frame} tabIndex={0} role="region" aria-label={t('jobs.failures')}>
            <ul className={classes.failures}>
              {data.items.map((item) => (
                <li key={item.item_id}>
                  <strong>{item.name || item.item_id}</strong>
                  <span>{failureText(item)}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
        {data && data.total > data.items.length && (
          <Text size="sm" c="dimmed">
            {t('jobs.more', { shown: formats.number(data.items.length), total: formats.number(data.total) })}
          </Text>
        )}
      </Stack>
    </Modal>
  );
}
