import { Button, Code, Group, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfirmTotpMutation } from '@/api/calls/account';
import type { RecoveryCodes, TotpSetup } from '@/api/generated';
import { BusyButton } from '@/components/BusyButton';
import type { MutationResult } from '@/lib/mutationResult';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { useFocusOnMount } from '@/lib/useFocusOnMount';
import { CopyButton } from '@/components/CopyButton';
import { StepProblem } from './StepProblem';
import classes from './TwoFactor.module.css';

interface ScanStepProps {
  setup: TotpSetup;
  onCodes: (codes: string[]) => void;
  onCancel: () => void;
}

/** Hands the secret to the authenticator, and takes its first code. */
export function ScanStep({ setup, onCodes, onCancel }: ScanStepProps) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation('common');
  const [confirm] = useConfirmTotpMutation();
  const { act, busy, problem, setProblem } = useMutationFeedback({ failsIn: 'place' });
  const [attempt, setAttempt] = useState(0);
  const field = useFocusOnMount<HTMLInputElement>(attempt);

  const run = async (code: string) => {
    const confirmed = await act(
      () => confirm({ confirmTotpRequest: { code } }) as Promise<MutationResult<RecoveryCodes>>,
    );
    if (confirmed) onCodes(confirmed.data.codes);
    else setAttempt((count) => count + 1);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const code = String(new FormData(event.currentTarget).get('code') ?? '').replace(/\s/g, '');
    if (/^\d{6}$/.test(code)) void run(code);
    else setProblem(t('scan.sixDigits'));
  };
  return (
    <form onSubmit={submit} noValidate className={classes.step}>
      <Text>{t('scan.text')}</Text>
      <img src={`data:image/svg+xml,${encodeURIComponent(setup.qr_svg)}`} alt={t('scan.qr')} className={classes.qr} />
      <div>
        <Text size="sm">{t('scan.byHand')}</Text>
        <Group gap="xs" wrap="nowrap" mt="2xs">
          <Code className={classes.secret}>{inGroups(setup.secret)}</Code>
          <CopyButton text={setup.secret} label={t('scan.copy')} />
        </Group>
        <Button component="a" href={setup.uri} variant="subtle" size="compact-sm" mt="2xs">
          {t('scan.openApp')}
        </Button>
      </div>
      <TextInput
        key={attempt}
        ref={field}
        name="code"
        label={t('scan.code')}
        description={t('scan.codeHelp')}
        autoComplete="one-time-code"
        inputMode="numeric"
        className="tabular"
        aria-describedby={problem ? 'factor-problem' : undefined}
      />
      <StepProblem text={problem} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel}>
          {common('action.cancel')}
        </Button>
        <BusyButton type="submit" busy={busy}>
          {t('scan.submit')}
        </BusyButton>
      </Group>
    </form>
  );
}

/** As people read it out: four at a time. */
const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret;
