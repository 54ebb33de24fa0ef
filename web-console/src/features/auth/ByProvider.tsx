import { Button, Divider, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SIGNED_IN_PATH, leaveForProvider, providerAddress } from '@/session/providerReturn';
import { stopEscapePropagation } from './CodeFields';

/** The way in by the provider of identities of this name: from here to `next`. */
export function ByProvider({ name, next }: { name: string; next: string }) {
  const { t } = useTranslation('auth');
  return (
    <>
      <Divider label={t('provider.or')} />
      <Button variant="default" size="md" fullWidth onClick={() => leaveForProvider(next)}>
        {t('provider.signIn', { name })}
      </Button>
    </>
  );
}

/** The same in a second tab, so that nothing on this page is lost: what is signed in there is signed in here as well. */
export function ByProviderInTab({ name }: { name: string }) {
  const { t } = useTranslation('auth');
  return (
    <>
      <Divider label={t('provider.or')} />
      <Button
        component="a"
        href={providerAddress(SIGNED_IN_PATH)}
        target="_blank"
        rel="noopener"
        variant="default"
        fullWidth
        {...stopEscapePropagation}
      >
        {t('provider.signIn', { name })}
      </Button>
      <Text size="xs" c="dimmed" ta="center">
        {t('provider.inTab')}
      </Text>
    </>
  );
}
