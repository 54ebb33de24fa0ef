import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Gateway } from '@/api/generated';
import classes from './Gateways.module.css';

/** Who it is that needs no name. */
export function AnonymousNotice({ row: { is_anonymous: anonymous } }: { row: Gateway }) {
  const { t } = useTranslation('gateways');
  if (!anonymous) return null;
  return (
    <div className={classes.notice}>
      <Alert variant="default">{t('anonymous')}</Alert>
    </div>
  );
}
