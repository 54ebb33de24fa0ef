import { Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useGetThresholdsQuery } from '@/api/calls/thresholds';
import { ErrorState } from '@/components/ErrorState';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { useAddress } from '@/lib/address';
import { useTitle } from '@/lib/useTitle';
import { ResourceSelect } from '@/resource/ResourceSelect';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Thresholds.module.css';
import { ThresholdsForm } from './ThresholdsForm';

/** From when on the vehicles of a tenant move, have stopped, stand idle, are silent. */
export function ThresholdsPage() {
  const { t } = useTranslation('thresholds');
  useTitle(t('title'));
  if (!can('threshold:list', useSelector(selectPerson))) return <NoAccess text={t('noAccess')} />;
  return <Thresholds />;
}

function Thresholds() {
  const { t } = useTranslation('thresholds');
  const { search, change } = useAddress();
  const ofPlatform = can('platform_owner', useSelector(selectPerson));
  const tenantId = ofPlatform ? (search.get('tenant_id') ?? '') : undefined;
  const choose = (id: string) => change((next) => (id ? next.set('tenant_id', id) : next.delete('tenant_id')), 'push');
  // A platform owner has none of their own.
  const skip = tenantId === '';
  const { currentData: thresholds, error, refetch } = useGetThresholdsQuery({ tenantId }, { skip });
  const content = () => {
    if (skip) return <Text c="dimmed">{t('chooseTenant')}</Text>;
    if (thresholds) return <ThresholdsForm key={thresholds.tenant_id} thresholds={thresholds} />;
    if (error) return <ErrorState title={t('loadFailed')} error={error} onRetry={() => void refetch()} />;
    return <Skeleton height={240} radius="lg" aria-busy="true" />;
  };
  return (
    <Page>
      <PageHeader title={t('title')} text={t('intro')} />
      <div className={classes.content}>
        {tenantId !== undefined && (
          <ResourceSelect of="tenants" label={t('tenant')} value={tenantId} onChange={choose} />
        )}
        {content()}
      </div>
    </Page>
  );
}
