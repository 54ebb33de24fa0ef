import type { FetchArgs } from '@reduxjs/toolkit/query';
import type { CostModel, ListTenantsApiArg, SubscriptionStatus, TenantSummaryApiArg } from '@/api/generated';
import type { FileFormat } from '@/components/ExportMenu';
import type { ListParams } from '@/lib/listParams';

/** Where tenants are, for calls past the cache. */
export const TENANTS_URL = '/api/v1/tenants';

/** Ways of charging to choose from. */
export const COST_MODELS = ['free', 'per_device', 'bundle', 'paid'] as const;
/** How a subscription can stand. */
export const SUBSCRIPTION_STATUSES = ['inactive', 'active', 'past_due', 'canceled'] as const;
/** Lengths of billing periods to choose from. */
export const BILLING_PERIODS = ['monthly', 'yearly'] as const;

/** Search, filters and order, as the address of the call has them. */
export function tenantFilter({ sort, q, filters }: ListParams) {
  const { subscription_status, cost_model } = filters;
  return { sort, q, active: filters.active?.[0], deleted: filters.deleted?.[0], subscription_status, cost_model };
}

/** Those whom a list shows, as the generated client takes them. */
export function tenantsOf({ q, filters }: ListParams): TenantSummaryApiArg {
  const active = filters.active?.[0];
  return {
    q,
    active: active === undefined ? undefined : active === 'true',
    deleted: filters.deleted === undefined ? undefined : filters.deleted[0] === 'true',
    subscriptionStatus: filters.subscription_status as SubscriptionStatus[] | undefined,
    costModel: filters.cost_model as CostModel[] | undefined,
  };
}

/** One page of them. */
export function tenantPage(params: ListParams): ListTenantsApiArg {
  return { ...tenantsOf(params), sort: params.sort, page: params.page, pageSize: params.pageSize };
}

/** What a column is in a file, where each number has a column of its own. */
const IN_FILES: Partial<Record<string, string[]>> = {
  used_devices: ['used_devices', 'device_limit'],
  used_users: ['used_users', 'user_limit'],
  cost_per_device: ['cost_per_device', 'currency'],
  cost_bundle: ['cost_bundle', 'currency'],
};

/** The call for a file of everything that matches, with the columns on the screen. */
export function tenantExport(params: ListParams, format: FileFormat, timeZone: string): FetchArgs {
  const columns = [...new Set(params.columns.flatMap((key) => IN_FILES[key] ?? [key]))];
  return { url: `${TENANTS_URL}/export`, params: { ...tenantFilter(params), format, columns, tz: timeZone } };
}
