import { Anchor, Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useListDocumentsQuery } from '@/api/calls/documents';
import { DocumentExpiry } from '@/components/DocumentExpiry';
import { ErrorState } from '@/components/ErrorState';
import { useStackedDrawers } from '@/lib/drawerParam';
import classes from './DevicePage.module.css';

const SHOWN = 3;

/** The documents of a vehicle that expire next; all of them stand in a part of their own. */
export function NextDocuments({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation(['devicePage', 'documents']);
  const { open } = useStackedDrawers();
  const query = useListDocumentsQuery({ deviceId, page: 1, pageSize: SHOWN }, { refetchOnMountOrArgChange: true });
  const { data, error } = query;
  if (!data && error)
    return <ErrorState title={t('documents:of.failed')} error={error} onRetry={() => void query.refetch()} />;
  if (!data) return <Skeleton height={60} aria-busy="true" />;
  if (data.total === 0) return <Text c="dimmed">{t('documents:of.none')}</Text>;
  return (
    <ul className={classes.lines}>
      {data.items.map((document) => (
        <li key={document.id} className={classes.line}>
          <Anchor component="button" type="button" ta="start" onClick={() => open('documents', document.id)}>
            {[t(`documents:kind.${document.kind}` as 'documents:kind.stnk'), document.number]
              .filter(Boolean)
              .join(' · ')}
          </Anchor>
          <DocumentExpiry row={document} />
        </li>
      ))}
    </ul>
  );
}
