import { IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { usePollAbilities } from '@/api/usePollAbilities';
import { EmptyState } from './EmptyState';
import { Page } from './Page';

/** A screen that this person may not see. */
export function NoAccess({ text }: { text: string }) {
  const { t } = useTranslation();
  usePollAbilities(true);
  return (
    <Page>
      <EmptyState wholePage icon={IconLock} title={t('error.noAccess')} text={text} />
    </Page>
  );
}
