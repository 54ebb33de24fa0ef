import { Button } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListParams } from '@/lib/listParams';
import { EmptyState } from './EmptyState';

interface EmptyListProps {
  params: ListParams;
  onParams: (change: Partial<ListParams>) => void;
  /** Shown when there is nothing at all. */
  children: ReactNode;
}

/** Whether a list shows less than there is. */
export const isNarrowed = ({ q, filters }: Pick<ListParams, 'q' | 'filters'>): boolean =>
  q !== '' || Object.keys(filters).length > 0;

/** No rows: because nothing matches, or because there is nothing yet. */
export function EmptyList({ params, onParams, children }: EmptyListProps) {
  const { t } = useTranslation();
  if (!isNarrowed(params)) return children;
  return (
    <EmptyState
      icon={IconSearchOff}
      title={t('table.nothingFound')}
      action={
        <Button variant="default" onClick={() => onParams({ q: '', filters: {} })}>
          {t('table.clearSearch')}
        </Button>
      }
    />
  );
}
