import { Anchor, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListDocumentsQuery } from '@/api/calls/documents';
import { useListMaintenanceQuery } from '@/api/calls/maintenance';
import { useStackedDrawers } from '@/lib/drawerParam';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { DocumentExpiry } from './DocumentExpiry';
import classes from './DueOf.module.css';
import { ErrorState } from './ErrorState';
import { MaintenanceBadge } from './MaintenanceBadge';

/** What has more of it has a part of its own. */
const SHOWN = 5;
const ASKED = { page: 1, pageSize: SHOWN };
const FRESH = { refetchOnMountOrArgChange: true };

/** What is due of a vehicle or a driver, or soon will be: documents, and of a vehicle its maintenance. */
export function DueOf(of: { deviceId?: string; driverId?: string }) {
  const { t } = useTranslation(['maintenance', 'documents']);
  const person = useSelector(selectPerson);
  const { open } = useStackedDrawers();
  const seesMaintenance = of.deviceId !== undefined && can('maintenance:list', person);
  const documents = useListDocumentsQuery(
    { ...of, state: ['expired', 'expiring'], ...ASKED },
    { ...FRESH, skip: !can('document:list', person) },
  );
  const maintenance = useListMaintenanceQuery(
    { deviceId: of.deviceId, state: ['overdue', 'due', 'due_soon'], sort: 'expected_on', ...ASKED },
    { ...FRESH, skip: !seesMaintenance },
  );
  const asked = [documents, maintenance].filter(({ isUninitialized }) => !isUninitialized);
  const failed = asked.find(({ data, error }) => !data && error);
  if (failed) {
    const retry = () => asked.forEach(({ refetch }) => void refetch());
    return <ErrorState title={t('due.failed')} error={failed.error} onRetry={retry} />;
  }
  if (asked.some(({ data }) => !data)) return <Skeleton height={60} aria-busy="true" />;
  if (asked.every(({ data }) => data?.items.length === 0)) return <Text c="dimmed">{t('due.none')}</Text>;
  return (
    <ul className={classes.list}>
      {maintenance.data?.items.map((each) => (
        <Line key={each.id} mark={<MaintenanceBadge row={each} />} onOpen={() => open('maintenance', each.id)}>
          {each.title}
        </Line>
      ))}
      {documents.data?.items.map((each) => (
        <Line key={each.id} mark={<DocumentExpiry row={each} />} onOpen={() => open('documents', each.id)}>
          {[t(`documents:kind.${each.kind}` as 'documents:kind.stnk'), each.number].filter(Boolean).join(' · ')}
        </Line>
      ))}
    </ul>
  );
}

const Line = ({ mark, onOpen, children }: { mark: ReactNode; onOpen: () => void; children: ReactNode }) => (
  <li className={classes.line}>
    <Anchor component="button" type="button" ta="start" onClick={onOpen}>
      {children}
    </Anchor>
    {mark}
  </li>
);
