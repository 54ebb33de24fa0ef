import { Anchor, Loader, Text, TextInput } from '@mantine/core';
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import { Link, useLocation, useNavigate, type Location } from 'react-router';
import { z } from 'zod';
import { useGetLinkQuery, useUseLinkMutation } from '@/api/calls/auth';
import { useSignInOptionsQuery } from '@/api/calls/signIn';
import { errorCode } from '@/api/errors';
import type { LinkPurpose, OpenLink } from '@/api/generated';
import { signInByPassword } from '@/api/signIn';
import { AuthPage } from '@/components/AuthPage';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { NewPasswordField } from '@/components/form/NewPasswordField';
import { PageForm } from '@/components/form/PageForm';
import { newPassword } from '@/lib/newPassword';
import { toastSuccess } from '@/lib/toast';
import { useEntityForm } from '@/lib/useEntityForm';
import { useTitle } from '@/lib/useTitle';
import { LOGIN_PATH } from '@/session/returnTo';
import { ended, selectSession, signedIn } from '@/session/sessionSlice';
import { signOut } from '@/session/signOut';
import { keepTypedPassword, type TypedPassword } from '@/session/typedPassword';
import { BackToSignIn, SignInAs } from './SignInLinks';

type Purpose = Exclude<LinkPurpose, 'unspecified'>;

/** An invitation: its user chooses a password. */
export const InvitationPage = () => <LinkPage purpose="invitation" />;
/** A new password for one that was forgotten. */
export const ResetPage = () => <LinkPage purpose="password_reset" />;
/** Somebody who registered confirms that the address is theirs, and chooses a password. */
export const VerifyPage = () => <LinkPage purpose="email_verification" />;

/** What the link of a mail leads to. Whatever page it names, the link itself says what it is for. */
function LinkPage({ purpose: expected }: { purpose: Purpose }) {
  const { t } = useTranslation('registration');
  const token = useTokenOfAddress();
  const { data: link, error, refetch } = useGetLinkQuery({ linkToken: { token } }, { skip: token === '' });
  const [state, setState] = useState<'open' | 'used' | 'invalid'>('open');
  const purpose = link && link.purpose !== 'unspecified' ? link.purpose : expected;
  useTitle(t(`link.${purpose}.title`));

  if (state === 'used' && link) {
    return (
      <AuthPage>
        <EmptyState
          wholePage
          icon={IconCircleCheck}
          title={t(`link.${purpose}.done`)}
          text={t(`link.${purpose}.doneText`)}
          action={<SignInAs email={link.email} />}
        />
      </AuthPage>
    );
  }
  if (token === '' || state === 'invalid' || errorCode(error) === 'link_invalid') return <Invalid purpose={purpose} />;
  return (
    <AuthPage title={t(`link.${purpose}.title`)} links={<BackToSignIn />}>
      {link ? (
        <UseLink token={token} link={link} onUsed={() => setState('used')} onInvalid={() => setState('invalid')} />
      ) : error ? (
        <ErrorState title={t('loadFailed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loader mx="auto" aria-busy="true" />
      )}
    </AuthPage>
  );
}

/**
 * The token behind the `#` of the address, from which it is taken at once, so that no screenshot and no shared address has
 * it. The entry of the tab's history keeps it: loading the page again finds it there.
 */
function useTokenOfAddress(): string {
  const { hash, pathname, search, state } = useLocation() as Location<{ token?: string } | null>;
  const navigate = useNavigate();
  const [token, setToken] = useState(hash.slice(1) || (state?.token ?? ''));
  // Another link in the same tab.
  if (hash.length > 1 && hash.slice(1) !== token) setToken(hash.slice(1));
  useEffect(() => {
    if (hash) void navigate(pathname + search, { replace: true, state: { token: hash.slice(1) } });
  }, [hash, pathname, search, navigate]);
  return token;
}

/** A link that was used, ran out, was replaced or cut off: what to do now. */
function Invalid({ purpose }: { purpose: Purpose }) {
  const { t } = useTranslation('registration');
  const { data: options } = useSignInOptionsQuery();
  const mayAsk = purpose !== 'invitation' && options?.mail;
  return (
    <AuthPage links={<BackToSignIn />}>
      <EmptyState
        wholePage
        icon={IconLinkOff}
        title={t('link.invalid')}
        text={t(`link.${purpose}.invalidText`)}
        action={
          mayAsk && (
            <Anchor component={Link} to="/auth/forgot-password">
              {t('link.askAgain')}
            </Anchor>
          )
        }
      />
    </AuthPage>
  );
}

interface UseLinkProps {
  token: string;
  link: OpenLink;
  onUsed: () => void;
  onInvalid: () => void;
}

const schema = z.object({ new_password: newPassword });

function UseLink({ token, link, onUsed, onInvalid }: UseLinkProps) {
  const { t } = useTranslation('registration');
  const [send] = useUseLinkMutation();
  const enter = useEnter();
  const form = useEntityForm<boolean, z.infer<typeof schema>>({
    schema,
    values: { new_password: '' },
    namespace: 'registration',
    failure: t('link.failed'),
    send: async ({ new_password }) => {
      const answer = await send({ useLinkRequest: { token, new_password } });
      // Somebody was faster, or it ran out while the page was open.
      if (errorCode(answer.error) === 'link_invalid') onInvalid();
      if (answer.error !== undefined) return { error: answer.error };
      return { data: await enter({ email: link.email, password: new_password }) };
    },
    onSaved: (entered) => (entered ? toastSuccess(t(`link.${purposeOf(link)}.done`)) : onUsed()),
  });
  const company = link.tenant_name ?? 'Armada';
  return (
    <PageForm form={form} alone submitLabel={t(`link.${purposeOf(link)}.submit`)}>
      <Text>{t(`link.${purposeOf(link)}.text`, { name: link.name, company })}</Text>
      <TextInput
        label={t('field.email')}
        type="email"
        value={link.email}
        readOnly
        variant="filled"
        autoComplete="username"
      />
      <NewPasswordField
        form={form}
        name="new_password"
        label={t('field.newPassword')}
        required
        first
        known={[link.email, link.name, company]}
      />
    </PageForm>
  );
}

/**
 * Signs in by the password that was just chosen, in the place of who is signed in here, and tells whether somebody is in or
 * has only to give a code.
 */
function useEnter() {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { token } = useSelector(selectSession);
  return async (typed: TypedPassword): Promise<boolean> => {
    if (token) {
      await signOut(token);
      dispatch(ended('signed_out'));
    }
    const { data, error } = await signInByPassword(typed);
    if (data) {
      dispatch(signedIn(data));
      await navigate('/', { replace: true });
      return true;
    }
    if (errorCode(error) !== 'totp_required') return false;
    keepTypedPassword(typed);
    await navigate(LOGIN_PATH, { replace: true, state: { email: typed.email } });
    return true;
  };
}

const purposeOf = ({ purpose }: OpenLink): Purpose => (purpose === 'unspecified' ? 'email_verification' : purpose);
