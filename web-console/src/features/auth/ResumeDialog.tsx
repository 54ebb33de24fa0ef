import { Button, Modal, PasswordInput, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import type { SessionUser } from '@/api/generated';
import { BusyButton } from '@/components/BusyButton';
import { ended, signedIn } from '@/session/sessionSlice';
import classes from './ResumeDialog.module.css';
import { ByProviderInTab } from './ByProvider';
import { CodeFields, stopEscapePropagation } from './CodeFields';
import { Problem } from './Problem';
import { useSignIn } from './useSignIn';
import { useSignInOptions } from './useSignInOptions';

/** Above every drawer, dialog and toast of the page. */
const Z_INDEX = 1_000;

/** Signs the same person in again, over the page that they were working on. */
export function ResumeDialog({ user }: { user: SessionUser }) {
  const { t } = useTranslation('auth');
  const dispatch = useDispatch();
  const { busy, problem, wantsCode, attempt, startAgain, onSubmit } = useSignIn(
    (granted) => void dispatch(signedIn(granted)),
  );
  const provider = useSignInOptions()?.oidc_name;
  const describedBy = problem ? 'resume-problem' : undefined;
  return (
    <Modal
      opened
      onClose={() => undefined}
      title={t('resume.title')}
      centered
      zIndex={Z_INDEX}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      overlayProps={{ backgroundOpacity: 0.55, blur: 6 }}
    >
      <form onSubmit={onSubmit} noValidate className={classes.form}>
        {wantsCode ? (
          <CodeFields attempt={attempt} describedBy={describedBy} onBack={startAgain} />
        ) : (
          <>
            <Text>{t('resume.text')}</Text>
            <TextInput
              name="email"
              label={t('email')}
              value={user.email}
              readOnly
              variant="filled"
              autoComplete="username"
              {...stopEscapePropagation}
            />
            <PasswordInput
              name="password"
              label={t('password')}
              autoComplete="current-password"
              data-autofocus
              aria-describedby={describedBy}
              {...stopEscapePropagation}
            />
          </>
        )}
        {problem && <Problem id="resume-problem" problem={problem} />}
        <BusyButton type="submit" busy={busy} fullWidth {...stopEscapePropagation}>
          {t('submit')}
        </BusyButton>
        {!wantsCode && provider && <ByProviderInTab name={provider} />}
        <Button variant="subtle" fullWidth onClick={() => dispatch(ended('signed_out'))} {...stopEscapePropagation}>
          {t('resume.other')}
        </Button>
        <Text size="xs" c="dimmed" ta="center">
          {t('resume.otherHint')}
        </Text>
      </form>
    </Modal>
  );
}
