import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/components/EmptyState';

/** A screen failed while drawing, or its code could not be loaded after an update of the server. */
export function RouteError() {
  const { t } = useTranslation();
  return (
    <div role="alert">
      <EmptyState
        wholePage
        icon={IconAlertTriangle}
        title={t('error.screenTitle')}
        text={t('error.screenText')}
        action={<Button onClick={() => window.location.reload()}>{t('action.reload')}</Button>}
      />
    </div>
  );
}
