import { useTranslation } from 'react-i18next';
import { ErrorState } from '@/components/ErrorState';
import { Figures } from './Figures';
import { Tile } from './Tile';
import { useDocumentCounts, useMaintenanceCounts } from './useCounts';

const MAINTENANCE = ['due_soon', 'due', 'overdue'] as const;
const DOCUMENTS = ['expiring', 'expired'] as const;

/** What is soon to be done to vehicles, what is due, and what is late. */
export function MaintenanceTile() {
  const { t } = useTranslation(['dashboard', 'maintenance']);
  const { data, error, refetch } = useMaintenanceCounts();
  return (
    <Tile tile="maintenance" more="/maintenance">
      {error && !data ? (
        <ErrorState title={t('failed.maintenance')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Figures
          label={t('tile.maintenance')}
          figures={MAINTENANCE.map((state) => ({
            key: state,
            label: t(`maintenance:state.${state}`),
            value: data?.[state],
            to: `/maintenance?state=${state}`,
            urgent: state === 'overdue',
          }))}
        />
      )}
    </Tile>
  );
}

/** Documents that expire within thirty days, and those that have. */
export function DocumentsTile() {
  const { t } = useTranslation(['dashboard', 'documents']);
  const { data, error, refetch } = useDocumentCounts();
  return (
    <Tile tile="documents" more="/documents">
      {error && !data ? (
        <ErrorState title={t('failed.documents')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Figures
          label={t('tile.documents')}
          figures={DOCUMENTS.map((state) => ({
            key: state,
            label: t(`documents:summary.${state}`),
            value: data?.[state],
            to: `/documents?state=${state}`,
            urgent: state === 'expired',
          }))}
        />
      )}
    </Tile>
  );
}
