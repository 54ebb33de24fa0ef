import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusOnMount } from '@/lib/useFocusOnMount';

interface CodeFieldsProps {
  /** Grows with every code that was wrong: the next one begins in an empty field. */
  attempt: number;
  /** The element that says what is wrong. */
  describedBy?: string;
  onBack: () => void;
}

/** The second step of signing in: six digits of the authenticator, or a recovery code. */
export function CodeFields({ attempt, describedBy, onBack }: CodeFieldsProps) {
  const { t } = useTranslation('auth');
  const [recovery, setRecovery] = useState(false);
  const key = `${recovery} ${attempt}`;
  const field = useFocusOnMount<HTMLInputElement>(key);
  return (
    <>
      <Text>{recovery ? t('code.recoveryText') : t('code.text')}</Text>
      <TextInput
        key={key}
        ref={field}
        name="code"
        label={recovery ? t('code.recoveryLabel') : t('code.label')}
        autoComplete={recovery ? 'off' : 'one-time-code'}
        inputMode={recovery ? 'text' : 'numeric'}
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        size="md"
        className="tabular"
        aria-describedby={describedBy}
        {...stopEscapePropagation}
      />
      <Button variant="subtle" size="compact-sm" onClick={() => setRecovery(!recovery)} {...stopEscapePropagation}>
        {recovery ? t('code.useAuthenticator') : t('code.useRecovery')}
      </Button>
      <Button variant="subtle" size="compact-sm" onClick={onBack} {...stopEscapePropagation}>
        {t('code.back')}
      </Button>
    </>
  );
}

/** What lies below a dialog must not take the Escape key for its own. */
export const stopEscapePropagation = { 'data-mantine-stop-propagation': true };
