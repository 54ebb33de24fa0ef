import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApproveImeiClaimMutation } from '@/api/calls/imeis';
import type { ImeiClaim } from '@/api/types';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useEntityName } from '@/resource/ResourceSelect';
import { useMutationFeedback } from '@/lib/useMutationFeedback';

/** Gives the tracker to who claims it. While somebody else has it, that is not offered. */
export function ApproveClaim({ claim }: { claim: ImeiClaim }) {
  const { t } = useTranslation('claims');
  const tenant = useEntityName('tenants', claim.tenant_id) ?? '';
  const [asking, setAsking] = useState(false);
  const [approve] = useApproveImeiClaimMutation();
  const { act, busy, problem, clearProblem } = useMutationFeedback({
    done: t('approved'),
    failure: t('approveFailed'),
    failsIn: 'place',
  });
  const confirm = async () => {
    if (await act(() => approve({ id: claim.id, 'If-Match': String(claim.row_version) }))) setAsking(false);
  };
  if (claim.holder) return <span>{t('held')}</span>;
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('approve')}</Button>
      <ConfirmDialog
        opened={asking}
        busy={busy}
        problem={problem}
        title={t('confirmApprove.title', { imei: claim.imei, tenant })}
        text={t('confirmApprove.text', { device: claim.device_name, tenant })}
        confirmLabel={t('approve')}
        onCancel={() => {
          clearProblem();
          setAsking(false);
        }}
        onConfirm={() => void confirm()}
      />
    </>
  );
}
