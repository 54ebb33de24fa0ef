import { Button, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListTrackerReplacementsQuery, useWithdrawTrackerReplacementMutation } from '@/api/calls/devices';
import type { TrackerReplacement } from '@/api/generated';
import type { Device } from '@/api/types';
import { useFormats } from '@/i18n/useFormats';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { ConfirmDialog } from '../ConfirmDialog';
import { ErrorState } from '../ErrorState';
import classes from './Meters.module.css';
import { useMeterWords } from './useMeterWords';

const FIRST = 10;
const PAGE_STEP = 50;

interface ReplacedTrackersProps {
  device: Device;
  mayWithdraw: boolean;
}

/** When the tracker of a device was replaced, by whom and why, the newest first; that one can be withdrawn. */
export function ReplacedTrackers({ device, mayWithdraw }: ReplacedTrackersProps) {
  const { t } = useTranslation('meters');
  const [shown, setShown] = useState(FIRST);
  const query = useListTrackerReplacementsQuery(
    { id: device.id, page: 1, pageSize: shown },
    { refetchOnMountOrArgChange: true },
  );
  const { data, error } = query;
  return (
    <section aria-label={t('replaced.title')} aria-busy={query.isFetching}>
      <h3 className={classes.title}>{t('replaced.title')}</h3>
      {error && <ErrorState title={t('replaced.failed')} error={error} onRetry={() => void query.refetch()} />}
      {data?.total === 0 && <Text c="dimmed">{t('replaced.none')}</Text>}
      <ul className={classes.list}>
        {data?.items.map((each, index) => (
          <Replacement key={each.id} replacement={each} device={device} mayWithdraw={mayWithdraw && index === 0} />
        ))}
      </ul>
      {data && data.total > data.items.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setShown(shown + PAGE_STEP)}>
          {t('corrections.more')}
        </Button>
      )}
    </section>
  );
}

interface ReplacementProps {
  replacement: TrackerReplacement;
  device: Device;
  mayWithdraw: boolean;
}

function Replacement({ replacement: each, device, mayWithdraw }: ReplacementProps) {
  const { t } = useTranslation('meters');
  const formats = useFormats();
  const words = useMeterWords();
  const [asking, setAsking] = useState(false);
  const [withdraw] = useWithdrawTrackerReplacementMutation();
  const { act, busy, problem, clearProblem } = useMutationFeedback({
    done: t('withdraw.done'),
    failure: t('withdraw.failed'),
    failsIn: 'place',
  });
  const facts = [
    each.imei === each.imei_before
      ? t('replaced.same', { imei: each.imei })
      : `IMEI: ${each.imei_before} → ${each.imei}`,
    typeof each.odometer_after === 'number' &&
      `${t('odometer')}: ${words.distance(each.odometer_before)} → ${words.distance(each.odometer_after)}`,
    typeof each.engine_seconds_after === 'number' &&
      `${t('engineHours')}: ${words.hours(each.engine_seconds_before)} → ${words.hours(each.engine_seconds_after)}`,
  ].filter((fact) => fact !== false);
  const made = { name: each.created_by_name || t('corrections.somebody'), at: formats.dateTime(each.created_at) };
  const confirm = async () => {
    if (await act(() => withdraw({ id: device.id, replacementId: each.id }))) setAsking(false);
  };
  return (
    <li className={classes.one}>
      <div className={classes.head}>
        <div className="tabular">
          {facts.map((fact) => (
            <div key={fact}>{fact}</div>
          ))}
        </div>
        {mayWithdraw && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconArrowBackUp size={16} aria-hidden="true" />}
            onClick={() => setAsking(true)}
          >
            {t('withdraw.action')}
          </Button>
        )}
      </div>
      <Text size="sm">{each.is_by_imei ? t('replaced.byImei') : each.reason}</Text>
      <Text size="sm" c="dimmed">
        {t('replaced.from', { at: formats.dateTime(each.replaced_at) })}
      </Text>
      <Text size="sm" c="dimmed">
        {t('corrections.by', made)}
      </Text>
      <ConfirmDialog
        opened={asking}
        title={t('withdraw.title', { name: device.name })}
        text={t('withdraw.text')}
        confirmLabel={t('withdraw.action')}
        destructive
        busy={busy}
        problem={problem}
        onConfirm={() => void confirm()}
        onCancel={() => {
          clearProblem();
          setAsking(false);
        }}
      />
    </li>
  );
}
