import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImeiClaimStatus } from '@/api/generated';
import type { ImeiClaim } from '@/api/types';
import type { Column } from '@/components/DataTable';
import { useTenantName, useTenantOptions } from '@/components/entityQueries';
import type { Filter } from '@/components/filters';
import { StatusBadge, type StatusTone } from '@/components/StatusBadge';
import { TimeAgo } from '@/components/TimeAgo';
import type { ListDefinition } from '@/lib/listParams';
import { CLAIM_STATUSES } from './claimList';

const TONES: Record<ImeiClaimStatus, StatusTone> = {
  unspecified: 'neutral',
  waiting: 'warning',
  approved: 'positive',
  rejected: 'negative',
};

/** How far a claim is, in a word. */
export function ClaimBadge({ status }: { status: ImeiClaimStatus }) {
  const { t } = useTranslation('claims');
  return status === 'unspecified' ? null : <StatusBadge tone={TONES[status]}>{t(`status.${status}`)}</StatusBadge>;
}

/** What a tenant is called. */
export const TenantName = ({ id }: { id: string }) => useTenantName(id) ?? '…';

/** Narrows a list to one tenant. */
export function useTenantFilter(): Filter {
  const { t } = useTranslation('claims');
  return useMemo(
    () => ({
      kind: 'entity',
      name: 'tenant_id',
      label: t('field.tenant'),
      useOptions: useTenantOptions,
      useName: useTenantName,
    }),
    [t],
  );
}

/** The list of claims: its columns, its filters, and what its address may say. */
export function useClaimDefinition() {
  const columns = useClaimColumns();
  const tenant = useTenantFilter();
  const { t } = useTranslation('claims');
  const filters = useMemo(
    (): Filter[] => [
      {
        kind: 'choice',
        name: 'status',
        label: t('field.status'),
        options: CLAIM_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
      },
      tenant,
    ],
    [t, tenant],
  );
  const list = useMemo(
    (): ListDefinition => ({ table: 'claims', sort: '-claimed_at', columns, filters }),
    [columns, filters],
  );
  return { list, columns, filters };
}

function useClaimColumns(): Column<ImeiClaim>[] {
  const { t } = useTranslation('claims');
  return useMemo(
    () => [
      {
        key: 'imei',
        label: t('field.imei'),
        sortable: true,
        fixed: true,
        width: 170,
        cell: ({ imei }) => <span className="tabular">{imei}</span>,
      },
      {
        key: 'status',
        label: t('field.status'),
        sortable: true,
        width: 150,
        phone: 'beside',
        cell: ({ status }) => <ClaimBadge status={status} />,
      },
      {
        key: 'tenant_id',
        label: t('field.tenant'),
        width: 180,
        phone: 'below',
        cell: ({ tenant_id }) => <TenantName id={tenant_id} />,
      },
      {
        key: 'device_name',
        label: t('field.device'),
        sortable: true,
        width: 180,
        phone: 'below',
        cell: ({ device_name }) => device_name,
      },
      {
        key: 'holder',
        label: t('field.holder'),
        width: 180,
        cell: ({ holder }) => holder && <TenantName id={holder.tenant_id} />,
      },
      { key: 'gateways', label: t('field.gateways'), width: 160, cell: ({ heard }) => heard?.gateways.join(', ') },
      {
        key: 'claimed_at',
        label: t('field.claimedAt'),
        sortable: true,
        align: 'right',
        width: 140,
        cell: (claim) => <TimeAgo at={claim.claimed_at} />,
      },
      {
        key: 'decided_at',
        label: t('field.decidedAt'),
        sortable: true,
        optional: true,
        align: 'right',
        width: 140,
        cell: ({ decided_at }) => decided_at && <TimeAgo at={decided_at} />,
      },
    ],
    [t],
  );
}
