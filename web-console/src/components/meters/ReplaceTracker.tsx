import { Alert, Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useReplaceTrackerMutation } from '@/api/calls/devices';
import { RULES } from '@/api/generatedRules';
import type { Device } from '@/api/types';
import { hasWrongCheckDigit, isTrackerId, lacksCheckDigit, trackerId } from '@/lib/imei';
import { toastSuccess } from '@/lib/toast';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { ConfirmDialog } from '../ConfirmDialog';
import { metresOf, secondsOf, type Typed } from './figures';
import { SinceFields } from './SinceFields';
import { SwapFields } from './SwapFields';
import { swapOf } from './swap';
import { useSince } from './useSince';

interface ReplaceTrackerProps {
  device: Device;
  opened: boolean;
  onClose: () => void;
}

/** Says that the tracker of a device was replaced, and what both trackers showed; asks first. */
export function ReplaceTracker({ device, opened, onClose }: ReplaceTrackerProps) {
  const { t } = useTranslation('meters');
  return (
    <Modal opened={opened} onClose={onClose} title={t('replace.title', { name: device.name })} zIndex={300}>
      <ReplacementForm device={device} onClose={onClose} />
    </Modal>
  );
}

/** Apart from the dialog, so that each begins anew. */
function ReplacementForm({ device, onClose }: Omit<ReplaceTrackerProps, 'opened'>) {
  const { t } = useTranslation('meters');
  const { t: common } = useTranslation('common');
  const { t: ofDevices } = useTranslation('devices');
  const [imei, setImei] = useState(device.imei);
  const [odometer, setOdometer] = useState<[Typed, Typed]>(['', '']);
  const [engine, setEngine] = useState<[Typed, Typed]>(['', '']);
  const [reason, setReason] = useState('');
  const [asking, setAsking] = useState(false);
  const since = useSince();
  const [replace] = useReplaceTrackerMutation();
  const { act, busy, problem, clearProblem } = useMutationFeedback({ failure: t('replace.failed'), failsIn: 'place' });
  const [metres, seconds] = [swapOf(odometer, metresOf), swapOf(engine, secondsOf)];
  const named = trackerId(imei);
  const isOther = named !== device.imei;
  const isComplete = isTrackerId(imei) && since.isKnown && metres !== null && seconds !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // It is asked for from within the form of the device, which this does not send.
    event.stopPropagation();
    if (isComplete) setAsking(true);
  };
  const send = async () => {
    const replaceTrackerRequest = {
      // Somebody may have given it another one meanwhile, which an old one would take back.
      imei: isOther ? named : undefined,
      replaced_at: since.at?.toISOString(),
      odometer_before: metres?.before,
      odometer_after: metres?.after,
      engine_seconds_before: seconds?.before,
      engine_seconds_after: seconds?.after,
      reason: reason.trim(),
    };
    const done = await act(() => replace({ id: device.id, replaceTrackerRequest }));
    setAsking(false);
    if (!done) return;
    toastSuccess(t('replace.done'));
    onClose();
  };
  return (
    <>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t('replace.text')}
          </Text>
          <TextInput
            label={t('replace.imei')}
            required
            autoComplete="off"
            value={imei}
            error={!isTrackerId(imei) && ofDevices('validation.imei')}
            onChange={(event) => setImei(event.currentTarget.value)}
            data-autofocus
          />
          {isOther && <ImeiDoubt imei={imei} />}
          <SinceFields since={since} label={t('replace.earlier')} help={t('replace.earlierHelp')} />
          <Text size="sm" c="dimmed">
            {t('replace.readings')}
          </Text>
          <SwapFields
            labels={[t('replace.odometerBefore'), t('replace.odometerAfter')]}
            unit="km"
            values={odometer}
            onChange={setOdometer}
          />
          <SwapFields
            labels={[t('replace.engineBefore'), t('replace.engineAfter')]}
            unit={t('correct.hoursUnit')}
            values={engine}
            onChange={setEngine}
          />
          <Textarea
            label={t('correct.reason')}
            description={t('replace.reasonHelp')}
            autosize
            minRows={2}
            maxLength={RULES.ReplaceTrackerRequest.reason.maxLength}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
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
        title={t('replace.ask', { name: device.name })}
        text={[t('replace.askText'), isOther && t('replace.askImei', { imei: named })].filter(Boolean).join(' ')}
        confirmLabel={t('replace.action')}
        busy={busy}
        onConfirm={() => void send()}
        onCancel={() => {
          clearProblem();
          setAsking(false);
        }}
      >
        {isOther && <ImeiDoubt imei={imei} />}
      </ConfirmDialog>
    </>
  );
}

/** That an IMEI looks mistyped. */
function ImeiDoubt({ imei }: { imei: string }) {
  const { t } = useTranslation('devices');
  const [odd, short] = [hasWrongCheckDigit(imei), lacksCheckDigit(imei)];
  if (!odd && !short) return null;
  return (
    <Alert color="yellow" variant="outline" role="status">
      {odd ? t('imei.checkDigit') : t('imei.short')}
    </Alert>
  );
}
