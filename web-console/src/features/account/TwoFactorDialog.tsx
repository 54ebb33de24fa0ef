import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRemoveTotpMutation, useRenewRecoveryCodesMutation, useSetUpTotpMutation } from '@/api/calls/account';
import type { Profile, ReauthenticationRequest, RecoveryCodes, TotpSetup } from '@/api/generated';
import type { MutationResult } from '@/lib/mutationResult';
import { toastSuccess } from '@/lib/toast';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { useFocusReturn } from '@/lib/useFocusReturn';
import { ReauthenticationForm } from './ReauthenticationForm';
import { RecoveryCodeSheet } from './RecoveryCodeSheet';
import { ScanStep } from './ScanStep';

/** What is done about the second factor. */
export type TwoFactorJob = 'setup' | 'renew' | 'remove';

interface TwoFactorDialogProps {
  job: TwoFactorJob;
  profile: Profile;
  /** Told whether it was done. */
  onClose: (done: boolean) => void;
}

type Step = { name: 'reauthenticate' } | { name: 'scan'; setup: TotpSetup } | { name: 'codes'; codes: string[] };

/** Begins with the password and a code of the present authenticator: an unattended screen is not enough. Recovery codes stay until somebody says to have them. */
export function TwoFactorDialog({ job, profile, onClose }: TwoFactorDialogProps) {
  const { t } = useTranslation('account');
  useFocusReturn();
  const [step, setStep] = useState<Step>({ name: 'reauthenticate' });
  const locked = step.name === 'codes';
  const title = step.name === 'codes' ? t('codes.title') : t(`factor.job.${job}.title`);
  return (
    <Modal
      opened
      onClose={() => onClose(false)}
      title={title}
      withCloseButton={!locked}
      closeOnEscape={!locked}
      closeOnClickOutside={step.name === 'reauthenticate'}
    >
      {step.name === 'reauthenticate' && (
        <ReauthenticationStep
          job={job}
          profile={profile}
          onSetup={(setup) => setStep({ name: 'scan', setup })}
          onCodes={(codes) => setStep({ name: 'codes', codes })}
          onRemoved={() => onClose(true)}
          onCancel={() => onClose(false)}
        />
      )}
      {step.name === 'scan' && (
        <ScanStep
          setup={step.setup}
          onCodes={(codes) => setStep({ name: 'codes', codes })}
          onCancel={() => onClose(false)}
        />
      )}
      {step.name === 'codes' && <RecoveryCodeSheet codes={step.codes} onKept={() => onClose(true)} />}
    </Modal>
  );
}

interface ReauthenticationStepProps {
  job: TwoFactorJob;
  profile: Profile;
  onSetup: (setup: TotpSetup) => void;
  onCodes: (codes: string[]) => void;
  onRemoved: () => void;
  onCancel: () => void;
}

function ReauthenticationStep({ job, profile, onSetup, onCodes, onRemoved, onCancel }: ReauthenticationStepProps) {
  const { t } = useTranslation('account');
  const [setUp] = useSetUpTotpMutation();
  const [renew] = useRenewRecoveryCodesMutation();
  const [remove] = useRemoveTotpMutation();
  const calling = useMutationFeedback({ failsIn: 'place' });
  const { act } = calling;

  const run = async (reauthenticationRequest: ReauthenticationRequest) => {
    if (job === 'setup') {
      const begun = await act(() => setUp({ reauthenticationRequest }) as Promise<MutationResult<TotpSetup>>);
      if (begun) onSetup(begun.data);
    } else if (job === 'renew') {
      const renewed = await act(() => renew({ reauthenticationRequest }) as Promise<MutationResult<RecoveryCodes>>);
      if (renewed) onCodes(renewed.data.codes);
    } else if (await act(() => remove({ reauthenticationRequest }) as Promise<MutationResult<unknown>>)) {
      toastSuccess(t('factor.removed'));
      onRemoved();
    }
  };
  return (
    <ReauthenticationForm
      profile={profile}
      text={t(`factor.job.${job}.text`)}
      submitLabel={t(`factor.job.${job}.submit`)}
      destructive={job === 'remove'}
      calling={calling}
      onReauthenticate={(proof) => void run(proof)}
      onCancel={onCancel}
    />
  );
}
