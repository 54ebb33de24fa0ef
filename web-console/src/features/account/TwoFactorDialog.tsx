import { Button, Group, Modal, PasswordInput, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useRemoveTotpMutation, useRenewRecoveryCodesMutation, useSetUpTotpMutation } from '@/api/api';
import type { RecoveryCodes, TotpSetup } from '@/api/generated';
import { BusyButton } from '@/components/BusyButton';
import type { Answer } from '@/lib/answers';
import { toastSuccess } from '@/lib/toast';
import { useFocusReturn } from '@/lib/useFocusReturn';
import { RecoveryCodeSheet } from './RecoveryCodeSheet';
import { ScanStep } from './ScanStep';
import { StepProblem } from './StepProblem';
import classes from './TwoFactor.module.css';
import { useCall } from './useCall';

/** What is done about the second factor. */
export type TwoFactorJob = 'setup' | 'renew' | 'remove';

interface TwoFactorDialogProps {
  job: TwoFactorJob;
  /** Told whether it was done. */
  onClose: (done: boolean) => void;
}

type Step = { name: 'password' } | { name: 'scan'; setup: TotpSetup } | { name: 'codes'; codes: string[] };

/** Begins with the password: an unattended screen is not enough. Recovery codes stay until somebody says to have them. */
export function TwoFactorDialog({ job, onClose }: TwoFactorDialogProps) {
  const { t } = useTranslation('account');
  useFocusReturn();
  const [step, setStep] = useState<Step>({ name: 'password' });
  const locked = step.name === 'codes';
  const title = step.name === 'codes' ? t('codes.title') : t(`factor.job.${job}.title`);
  return (
    <Modal
      opened
      onClose={() => onClose(false)}
      title={title}
      withCloseButton={!locked}
      closeOnEscape={!locked}
      closeOnClickOutside={step.name === 'password'}
    >
      {step.name === 'password' && (
        <PasswordStep
          job={job}
          onSetup={(setup) => setStep({ name: 'scan', setup })}
          onCodes={(codes) => setStep({ name: 'codes', codes })}
          onRemoved={() => onClose(true)}
          onCancel={() => onClose(false)}
        />
      )}
      {step.name === 'scan' && (
        <ScanStep setup={step.setup} onCodes={(codes) => setStep({ name: 'codes', codes })} onCancel={() => onClose(false)} />
      )}
      {step.name === 'codes' && <RecoveryCodeSheet codes={step.codes} onKept={() => onClose(true)} />}
    </Modal>
  );
}

interface PasswordStepProps {
  job: TwoFactorJob;
  onSetup: (setup: TotpSetup) => void;
  onCodes: (codes: string[]) => void;
  onRemoved: () => void;
  onCancel: () => void;
}

function PasswordStep({ job, onSetup, onCodes, onRemoved, onCancel }: PasswordStepProps) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation('common');
  const [setUp] = useSetUpTotpMutation();
  const [renew] = useRenewRecoveryCodesMutation();
  const [remove] = useRemoveTotpMutation();
  const { call, busy, problem, setProblem } = useCall();

  const run = async (password: string) => {
    const passwordRequest = { password };
    if (job === 'setup') {
      const begun = await call(() => setUp({ passwordRequest }) as Promise<Answer<TotpSetup>>);
      if (begun) onSetup(begun.data);
    } else if (job === 'renew') {
      const renewed = await call(() => renew({ passwordRequest }) as Promise<Answer<RecoveryCodes>>);
      if (renewed) onCodes(renewed.data.codes);
    } else if (await call(() => remove({ passwordRequest }) as Promise<Answer<unknown>>)) {
      toastSuccess(t('factor.removed'));
      onRemoved();
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const password = String(new FormData(event.currentTarget).get('password') ?? '');
    if (password === '') setProblem(t('factor.passwordNeeded'));
    else void run(password);
  };
  return (
    <form onSubmit={submit} noValidate className={classes.step}>
      <Text>{t(`factor.job.${job}.text`)}</Text>
      <PasswordInput
        name="password"
        label={t('field.currentPassword')}
        autoComplete="current-password"
        data-autofocus
        aria-describedby={problem ? 'factor-problem' : undefined}
      />
      <StepProblem text={problem} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel}>
          {common('action.cancel')}
        </Button>
        <BusyButton type="submit" busy={busy} color={job === 'remove' ? 'red.8' : undefined}>
          {t(`factor.job.${job}.submit`)}
        </BusyButton>
      </Group>
    </form>
  );
}
