import { IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLearnAbilities } from '@/api/useLearnAbilities';
import { EmptyState } from './EmptyState';
import { Page } from './Page';

/** A screen that this person may not see. */
export function NoAccess({ text }: { text: string }) {
  const { t } = useTranslation();
  useLearnAbilities(true);
  return (
    <Page>
      <EmptyState wholePage icon={IconLock} title={t('error.noAccess')} text={text} />
    </Page>
  );
}
