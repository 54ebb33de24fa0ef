import { Alert, Skeleton } from '@mantine/core';
import { IconShieldExclamation } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useNavigate, useSearchParams } from 'react-router';
import { useGetAccountQuery } from '@/api/calls/account';
import { ErrorState } from '@/components/ErrorState';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { useTitle } from '@/lib/useTitle';
import { RETURN_PARAM, safeReturnPath } from '@/session/returnTo';
import { selectMustSetUpTotp } from '@/session/sessionSlice';
import { KeyboardSection } from './KeyboardSection';
import { PasswordSection } from './PasswordSection';
import { ProfileSection } from './ProfileSection';
import classes from './Section.module.css';
import { SessionsSection } from './SessionsSection';
import { TwoFactorSection } from './TwoFactorSection';

/** One's own account. Who must set up a second factor finds that first, and then what they asked for. */
export function AccountPage() {
  const { t } = useTranslation('account');
  useTitle(t('title'));
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const must = useSelector(selectMustSetUpTotp);
  // The order stays while the page is open, whatever is done on it.
  const [factorFirst] = useState(must);
  const { data: profile, error, refetch } = useGetAccountQuery();

  const goOn = () => {
    const next = search.get(RETURN_PARAM);
    if (next !== null) void navigate(safeReturnPath(next), { replace: true });
  };

  const factor = profile && <TwoFactorSection profile={profile} onSetUp={goOn} />;
  return (
    <Page>
      <PageHeader title={t('title')} text={t('text')} />
      <div className={classes.sections}>
        {must && (
          <Alert
            color="yellow"
            variant="outline"
            icon={<IconShieldExclamation size={18} aria-hidden="true" />}
            title={t('must.title')}
            styles={{ title: { color: 'var(--armada-text)' }, message: { color: 'var(--armada-text)' } }}
          >
            {t('must.text')}
          </Alert>
        )}
        {profile ? (
          <>
            {factorFirst && factor}
            <ProfileSection profile={profile} />
            <PasswordSection profile={profile} />
            {!factorFirst && factor}
            <SessionsSection profile={profile} />
            <KeyboardSection />
          </>
        ) : error ? (
          <ErrorState title={t('loadFailed')} error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton height={240} radius="lg" aria-busy="true" />
        )}
      </div>
    </Page>
  );
}
