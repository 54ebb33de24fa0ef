import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';
import { EmptyState } from '@/components/EmptyState';
import { ScreenNotLoaded } from '@/lib/screenNotLoaded';
import { page, useReloadWhenBack } from './reload';

/** A screen failed while drawing, or its code could not be loaded: then it is, as soon as the server answers again. */
export function RouteError() {
  const { t } = useTranslation();
  const isNotLoaded = useRouteError() instanceof ScreenNotLoaded;
  useReloadWhenBack(isNotLoaded);
  return (
    <div role="alert">
      <EmptyState
        wholePage
        icon={IconAlertTriangle}
        title={t('error.screenTitle')}
        text={isNotLoaded ? t('error.screenWaits') : t('error.screenText')}
        action={<Button onClick={() => page.reload()}>{t('action.reload')}</Button>}
      />
    </div>
  );
}
