import { Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Profile, ReauthenticationRequest } from '@/api/generated';
import { BusyButton } from '@/components/BusyButton';
import type { useMutationFeedback } from '@/lib/useMutationFeedback';
import { leaveForProvider } from '@/session/providerReturn';
import { StepProblem } from './StepProblem';
import classes from './TwoFactor.module.css';

interface ReauthenticationFormProps {
  profile: Profile;
  /** What it is needed for. */
  text: string;
  submitLabel: string;
  destructive?: boolean;
  /** The call that needs it. */
  calling: Pick<ReturnType<typeof useMutationFeedback>, 'busy' | 'problem' | 'setProblem'>;
  onReauthenticate: (proof: ReauthenticationRequest) => void;
  onCancel: () => void;
}

/** Proves once more who sits there: the password, and a code where there is a second factor. */
export function ReauthenticationForm({
  profile,
  text,
  submitLabel,
  destructive,
  calling,
  onReauthenticate,
  onCancel,
}: ReauthenticationFormProps) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation('common');
  const { busy, problem, setProblem } = calling;
  // A code works once, whatever came of it: the next one begins in an empty field.
  const [attempt, setAttempt] = useState(0);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    const field = (name: string) => String(form.get(name) ?? '');
    const [password, code] = [field('password'), field('code').trim()];
    if (profile.has_password && password === '') return setProblem(t('factor.passwordNeeded'));
    if (profile.has_totp && code === '') return setProblem(t('factor.codeNeeded'));
    setAttempt((count) => count + 1);
    onReauthenticate(profile.has_totp ? { password, code } : { password });
  };
  const describedBy = problem ? 'factor-problem' : undefined;
  return (
    <form onSubmit={submit} noValidate className={classes.step}>
      <Text>{text}</Text>
      {profile.has_password ? (
        <PasswordInput
          name="password"
          label={t('field.currentPassword')}
          autoComplete="current-password"
          data-autofocus
          aria-describedby={describedBy}
        />
      ) : (
        <div>
          <Text size="sm">{t('factor.byProvider')}</Text>
          <Button variant="subtle" size="compact-sm" onClick={() => leaveForProvider('/account')}>
            {t('factor.signInAgain')}
          </Button>
        </div>
      )}
      {profile.has_totp && (
        <TextInput
          key={attempt}
          name="code"
          label={t('factor.code')}
          description={t('factor.codeHelp')}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          className="tabular"
          aria-describedby={describedBy}
        />
      )}
      <StepProblem text={problem} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel}>
          {common('action.cancel')}
        </Button>
        <BusyButton type="submit" busy={busy} color={destructive ? 'red.8' : undefined}>
          {submitLabel}
        </BusyButton>
      </Group>
    </form>
  );
}
