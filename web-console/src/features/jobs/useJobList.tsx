import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Column } from '@/components/DataTable';
import type { Filter } from '@/components/filters';
import { TimeAgo } from '@/components/TimeAgo';
import type { Job } from '@/resource/jobs';
import { EntityName } from '@/resource/names';
import { entityFilter } from '@/resource/ResourceSelect';
import { useJobLabel } from '@/resource/useJobLabel';
import { selectPerson } from '@/session/sessionSlice';
import { JobBadge } from './JobBadge';

/** What a job can be. */
export const STATES = ['queued', 'running', 'completed', 'cancelled', 'failed'] as const;

/** Who sees the jobs of others sees whose they are; who sees those of all tenants, of which they are. */
export function useWhose() {
  const person = useSelector(selectPerson);
  const ofTenants = person?.isPlatformOwner ?? false;
  return { ofOthers: ofTenants || (person?.isTenantAdmin ?? false), ofTenants };
}

/** The list of jobs for this person: its columns, its filters, and what its address may say. */
export function useJobList() {
  const { t } = useTranslation('jobs');
  const labelOf = useJobLabel();
  const { ofOthers, ofTenants } = useWhose();
  return useMemo(() => {
    const columns: Column<Job>[] = [
      { key: 'job', label: t('field.job'), fixed: true, width: 260, cell: labelOf },
      { key: 'status', label: t('field.status'), width: 280, phone: 'below', cell: (job) => <JobBadge job={job} /> },
      ...(ofOthers ? [whoColumn(t('field.created_by'))] : []),
      ...(ofTenants ? [tenantColumn(t('field.tenant_id'), t('platform'))] : []),
      { key: 'created_at', label: t('field.created_at'), align: 'right', phone: 'beside', cell: timeOf('created_at') },
      { key: 'finished_at', label: t('field.finished_at'), align: 'right', cell: timeOf('finished_at') },
    ];
    const filters: Filter[] = [
      {
        name: 'status',
        label: t('field.status'),
        kind: 'choice',
        multiple: true,
        options: STATES.map((value) => ({ value, label: t(`status.${value}`) })),
      },
      ...(ofTenants ? [{ name: 'tenant_id', label: t('field.tenant_id'), ...entityFilter('tenants') }] : []),
    ];
    const list = { table: 'jobs', sort: '-created_at', columns, filters: [...filters, { name: 'service' }] };
    const named = [
      ...(ofOthers ? [{ name: 'created_by', of: 'users' as const }] : []),
      ...(ofTenants ? [{ name: 'tenant_id', of: 'tenants' as const }] : []),
    ];
    return { list, columns, filters, named, labelOf };
  }, [t, labelOf, ofOthers, ofTenants]);
}

const timeOf = (key: 'created_at' | 'finished_at') => (job: Job) => job[key] && <TimeAgo at={job[key]} />;

const whoColumn = (label: string): Column<Job> => ({
  key: 'created_by',
  label,
  phone: 'below',
  cell: (job) => <EntityName of="users" id={job.created_by} absent="–" />,
});

const tenantColumn = (label: string, none: string): Column<Job> => ({
  key: 'tenant_id',
  label,
  phone: 'below',
  cell: ({ tenant_id: id }) => (id ? <EntityName of="tenants" id={id} absent="–" /> : none),
});
