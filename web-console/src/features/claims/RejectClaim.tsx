import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useRejectImeiClaimMutation } from '@/api/calls/imeis';
import type { ImeiClaim } from '@/api/types';
import { BusyButton } from '@/components/BusyButton';
import { useMutationFeedback } from '@/lib/useMutationFeedback';

const REASON_MAX = 500;

/** Refuses a claim, with a reason that the tenant reads. */
export function RejectClaim({ claim }: { claim: ImeiClaim }) {
  const { t } = useTranslation('claims');
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('reject')}
      </Button>
      <Modal
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('confirmReject.title', { imei: claim.imei })}
        zIndex={300}
        size="sm"
      >
        <Reason claim={claim} onClose={() => setAsking(false)} />
      </Modal>
    </>
  );
}

function Reason({ claim, onClose }: { claim: ImeiClaim; onClose: () => void }) {
  const { t } = useTranslation('claims');
  const { t: common } = useTranslation('common');
  const [reason, setReason] = useState('');
  const [reject] = useRejectImeiClaimMutation();
  const { act, busy, problem } = useMutationFeedback({
    done: t('rejected'),
    failure: t('rejectFailed'),
    failsIn: 'place',
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const call = { id: claim.id, 'If-Match': String(claim.row_version), imeiDecisionInput: { reason: reason.trim() } };
    if (await act(() => reject(call))) onClose();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        <Text>{t('confirmReject.text', { device: claim.device_name })}</Text>
        <Textarea
          label={t('field.reason')}
          description={t('help.reason')}
          required
          autosize
          minRows={2}
          maxLength={REASON_MAX}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          data-autofocus
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
          <BusyButton type="submit" color="red.8" busy={busy} disabled={!reason.trim()}>
            {t('reject')}
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}
