import type {
  ImeiClaimStatus,
  ListGatewaysApiArg,
  ListImeiAssignmentsApiArg,
  ListImeiClaimsApiArg,
} from '@/api/generated';
import type { ListParams } from '@/lib/listParams';

/** How far a claim can be. */
export const CLAIM_STATUSES = ['waiting', 'approved', 'rejected'] as const;

const only = ({ filters }: ListParams, name: string) => filters[name]?.[0];

const pageOf = ({ page, pageSize, sort, q }: ListParams) => ({ page, pageSize, sort, q });

/** One page of claims, as the generated client takes it. */
export const claimPage = (params: ListParams): ListImeiClaimsApiArg => ({
  ...pageOf(params),
  status: only(params, 'status') as ImeiClaimStatus | undefined,
  tenantId: only(params, 'tenant_id'),
});

/** One page of what is promised, or of gateways. */
export const tenantsPage = (params: ListParams): ListImeiAssignmentsApiArg & ListGatewaysApiArg => ({
  ...pageOf(params),
  tenantId: only(params, 'tenant_id'),
});
