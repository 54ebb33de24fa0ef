import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { MasterDataEntry } from '@/api/generated';
import { StatusBadge } from '@/components/StatusBadge';
import { selectPerson } from '@/session/sessionSlice';
import { mayChange } from './entryRights';
import classes from './Origin.module.css';

/** Whether an entry is the platform's, which all tenants have, or a tenant's own. */
export function Origin({ row: { tenant_id } }: { row: MasterDataEntry }) {
  const { t } = useTranslation('masterData');
  return tenant_id ? (
    <StatusBadge tone="info">{t('is_own.true')}</StatusBadge>
  ) : (
    <StatusBadge tone="neutral">{t('is_own.false')}</StatusBadge>
  );
}

/** Why an entry can only be looked at. */
export function PlatformNotice({ row }: { row: MasterDataEntry }) {
  const { t } = useTranslation('masterData');
  if (mayChange(row, useSelector(selectPerson))) return null;
  return (
    <div className={classes.notice}>
      <Alert variant="default">{t('readOnly')}</Alert>
    </div>
  );
}
