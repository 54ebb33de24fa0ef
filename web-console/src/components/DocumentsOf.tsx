import { Anchor, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListDocumentsQuery } from '@/api/calls/documents';
import { ErrorState } from './ErrorState';
import { newWith, useStackedDrawers } from '@/lib/drawerParam';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import { DocumentExpiry } from './DocumentExpiry';
import classes from './DrivingHistory.module.css';

/** No vehicle and no driver has more. */
const ALL = 100;

/** The documents of a vehicle or of a driver, those that expire first in front. */
export function DocumentsOf(of: { deviceId?: string; driverId?: string }) {
  const { t } = useTranslation('documents');
  const { open } = useStackedDrawers();
  const mayAdd = mayDo('documents', 'create', useSelector(selectPerson));
  const query = useListDocumentsQuery({ ...of, page: 1, pageSize: ALL }, { refetchOnMountOrArgChange: true });
  const { data, error } = query;
  if (error) return <ErrorState title={t('of.failed')} error={error} onRetry={() => void query.refetch()} />;
  const known: Record<string, string> = of.deviceId
    ? { subject: 'vehicle', device_id: of.deviceId }
    : { subject: 'driver', driver_id: of.driverId ?? '' };
  return (
    <div aria-busy={query.isFetching}>
      {data?.total === 0 && <Text c="dimmed">{t('of.none')}</Text>}
      <ul className={classes.list}>
        {data?.items.map((document) => (
          <li key={document.id} className={classes.assignment}>
            <div className={classes.name}>
              <Anchor component="button" type="button" onClick={() => open('documents', document.id)}>
                {[t(`kind.${document.kind}` as 'kind.stnk'), document.number].filter(Boolean).join(' · ')}
              </Anchor>
              <DocumentExpiry row={document} />
            </div>
          </li>
        ))}
      </ul>
      {mayAdd && (
        <Button variant="subtle" size="compact-sm" onClick={() => open('documents', newWith(known))}>
          {t('of.add')}
        </Button>
      )}
    </div>
  );
}
