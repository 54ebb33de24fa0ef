import { Button, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListMeterCorrectionsQuery, useUndoMeterCorrectionMutation } from '@/api/calls/devices';
import type { MeterCorrection } from '@/api/generated';
import type { Device } from '@/api/types';
import { useFormats } from '@/i18n/useFormats';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { ConfirmDialog } from '../ConfirmDialog';
import { ErrorState } from '../ErrorState';
import classes from './Meters.module.css';
import { useMeterWords } from './useMeterWords';

const FIRST = 10;
const PAGE_STEP = 50;

interface MeterCorrectionsProps {
  device: Device;
  mayUndo: boolean;
}

/** What was corrected of a device, by whom and why, the newest first; that one can be undone. */
export function MeterCorrections({ device, mayUndo }: MeterCorrectionsProps) {
  const { t } = useTranslation('meters');
  const [shown, setShown] = useState(FIRST);
  const query = useListMeterCorrectionsQuery(
    { id: device.id, page: 1, pageSize: shown },
    { refetchOnMountOrArgChange: true },
  );
  const { data, error } = query;
  return (
    <section aria-label={t('corrections.title')} aria-busy={query.isFetching}>
      <h3 className={classes.title}>{t('corrections.title')}</h3>
      {error && <ErrorState title={t('corrections.failed')} error={error} onRetry={() => void query.refetch()} />}
      {data?.total === 0 && <Text c="dimmed">{t('corrections.none')}</Text>}
      <ul className={classes.list}>
        {data?.items.map((each) => (
          <Correction key={each.id} correction={each} device={device} mayUndo={mayUndo && each.is_newest} />
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

interface CorrectionProps {
  correction: MeterCorrection;
  device: Device;
  mayUndo: boolean;
}

function Correction({ correction: each, device, mayUndo }: CorrectionProps) {
  const { t } = useTranslation('meters');
  const formats = useFormats();
  const words = useMeterWords();
  const [asking, setAsking] = useState(false);
  const [undo] = useUndoMeterCorrectionMutation();
  const { act, busy, problem, clearProblem } = useMutationFeedback({
    done: t('undo.done'),
    failure: t('undo.failed'),
    failsIn: 'place',
  });
  const changes = [
    typeof each.odometer === 'number' &&
      `${t('odometer')}: ${words.distance(each.odometer_before)} → ${words.distance(each.odometer)}`,
    typeof each.engine_seconds === 'number' &&
      `${t('engineHours')}: ${words.hours(each.engine_seconds_before)} → ${words.hours(each.engine_seconds)}`,
  ].filter((change) => change !== false);
  const made = { name: each.created_by_name || t('corrections.somebody'), at: formats.dateTime(each.created_at) };
  const confirm = async () => {
    if (await act(() => undo({ id: device.id, correctionId: each.id }))) setAsking(false);
  };
  return (
    <li className={classes.one}>
      <div className={classes.head}>
        <div className="tabular">
          {changes.map((change) => (
            <div key={change}>{change}</div>
          ))}
        </div>
        {mayUndo && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconArrowBackUp size={16} aria-hidden="true" />}
            onClick={() => setAsking(true)}
          >
            {t('undo.action')}
          </Button>
        )}
      </div>
      <Text size="sm">{each.reason}</Text>
      <Text size="sm" c="dimmed">
        {t('corrections.from', { at: formats.dateTime(each.effective_from) })}
      </Text>
      <Text size="sm" c="dimmed">
        {t('corrections.by', made)}
      </Text>
      <ConfirmDialog
        opened={asking}
        title={t('undo.title', { name: device.name })}
        text={t('undo.text')}
        confirmLabel={t('undo.action')}
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
