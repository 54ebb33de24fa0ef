import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useCorrectMetersMutation } from '@/api/calls/devices';
import type { DeviceMeters } from '@/api/generated';
import { RULES } from '@/api/generatedRules';
import type { Device } from '@/api/types';
import { useFormats } from '@/i18n/useFormats';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { toastSuccess } from '@/lib/toast';
import { ConfirmDialog } from '../ConfirmDialog';
import { NumberEntry } from '../NumberEntry';
import { isNegative, metresOf, secondsOf, type Typed } from './figures';
import classes from './Meters.module.css';
import { SinceFields } from './SinceFields';
import { useMeterWords } from './useMeterWords';
import { useSince } from './useSince';

interface CorrectMetersProps {
  device: Device;
  meters: DeviceMeters;
  opened: boolean;
  onClose: () => void;
}

/** Says what odometer, engine hours or both of a device show, with a reason; asks first, with what changes. */
export function CorrectMeters({ device, meters, opened, onClose }: CorrectMetersProps) {
  const { t } = useTranslation('meters');
  return (
    <Modal opened={opened} onClose={onClose} title={t('correct.title', { name: device.name })} zIndex={300}>
      <CorrectionForm device={device} meters={meters} onClose={onClose} />
    </Modal>
  );
}

/** Apart from the dialog, so that each begins with empty fields. */
function CorrectionForm({ device, meters, onClose }: Omit<CorrectMetersProps, 'opened'>) {
  const { t } = useTranslation('meters');
  const { t: common } = useTranslation('common');
  const words = useMeterWords();
  const [odometer, setOdometer] = useState<Typed>('');
  const [engine, setEngine] = useState<Typed>('');
  const [reason, setReason] = useState('');
  const [asking, setAsking] = useState(false);
  const since = useSince();
  const [correct] = useCorrectMetersMutation();
  const { act, busy, problem, clearProblem } = useMutationFeedback({ failure: t('correct.failed'), failsIn: 'place' });
  const [metres, seconds] = [metresOf(odometer), secondsOf(engine)];
  const isWrong = (odometer !== '' && metres === null) || (engine !== '' && seconds === null);
  const isComplete = !isWrong && (metres !== null || seconds !== null) && reason.trim() !== '' && since.isKnown;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // It is asked for from within the form of the device, which this does not send.
    event.stopPropagation();
    if (isComplete) setAsking(true);
  };
  const send = async () => {
    const meterCorrectionInput = {
      reason: reason.trim(),
      effective_from: since.at?.toISOString(),
      odometer: metres ?? undefined,
      engine_seconds: seconds ?? undefined,
    };
    const done = await act(() => correct({ id: device.id, meterCorrectionInput }));
    setAsking(false);
    if (!done) return;
    toastSuccess(t('correct.done'));
    onClose();
  };
  const preview = (
    <Preview
      changes={[
        metres !== null && {
          label: t('odometer'),
          before: words.distance(meters.odometer),
          after: words.distance(metres),
        },
        seconds !== null && {
          label: t('engineHours'),
          before: words.hours(meters.engine_seconds),
          after: words.hours(seconds),
        },
      ]}
      at={since.at}
    />
  );
  return (
    <>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t('correct.text')}
          </Text>
          <NumberEntry
            decimals={1}
            label={t('odometer')}
            description={t('correct.now', { value: words.distance(meters.odometer) })}
            unit="km"
            value={odometer}
            error={isNegative(odometer) && common('number.negative')}
            onChange={setOdometer}
            data-autofocus
          />
          <NumberEntry
            decimals={1}
            label={t('engineHours')}
            description={t('correct.now', { value: words.hours(meters.engine_seconds) })}
            unit={t('correct.hoursUnit')}
            value={engine}
            error={isNegative(engine) && common('number.negative')}
            onChange={setEngine}
          />
          <SinceFields since={since} label={t('correct.earlier')} help={t('correct.earlierHelp')} />
          <Textarea
            label={t('correct.reason')}
            description={t('correct.reasonHelp')}
            required
            autosize
            minRows={2}
            maxLength={RULES.MeterCorrectionInput.reason.maxLength}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          {preview}
          {problem && (
            <Alert color="red" variant="outline" role="alert">
              {problem}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={busy}>
              {common('action.cancel')}
            </Button>
            <Button type="submit" disabled={!isComplete}>
              {t('correct.next')}
            </Button>
          </Group>
        </Stack>
      </form>
      <ConfirmDialog
        opened={asking}
        title={t('correct.ask', { name: device.name })}
        text={t('correct.askText')}
        confirmLabel={t('correct.action')}
        busy={busy}
        onConfirm={() => void send()}
        onCancel={() => {
          clearProblem();
          setAsking(false);
        }}
      >
        {preview}
      </ConfirmDialog>
    </>
  );
}

interface PreviewProps {
  changes: ({ label: string; before: string; after: string } | false)[];
  at: Date | undefined;
}

/** What people see now, and what they see then. */
function Preview({ changes, at }: PreviewProps) {
  const { t } = useTranslation('meters');
  const formats = useFormats();
  const shown = changes.filter((change) => change !== false);
  if (shown.length === 0) return null;
  return (
    <div className={classes.preview} role="status">
      {shown.map(({ label, before, after }) => (
        <div key={label} className="tabular">
          {label}: {at ? after : `${before} → ${after}`}
        </div>
      ))}
      {at && (
        <Text size="sm" c="dimmed">
          {t('corrections.from', { at: formats.dateTime(at.getTime()) })}
        </Text>
      )}
    </div>
  );
}
