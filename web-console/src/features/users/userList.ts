import type { FetchArgs } from '@reduxjs/toolkit/query';
import type { ListUsersApiArg, UserStatus, UserSummaryApiArg } from '@/api/generated';
import type { FileFormat } from '@/components/ExportMenu';
import type { ListParams } from '@/lib/listParams';

/** Where users are, for calls past the cache. */
export const USERS_URL = '/api/v1/users';

/** How an account can stand. */
export const USER_STATUSES = ['active', 'inactive', 'invited'] as const;

/** Search, filters and order, as the address of the call has them. */
export function userFilter({ sort, q, filters }: ListParams) {
  return {
    sort,
    q,
    status: filters.status,
    is_subscription_active: filters.is_subscription_active?.[0],
    role_id: filters.role_id,
    tenant_id: filters.tenant_id?.[0],
  };
}

/** Those whom a list shows, as the generated client takes them. */
export function usersOf({ q, filters }: ListParams): UserSummaryApiArg {
  const subscribed = filters.is_subscription_active?.[0];
  return {
    q,
    status: filters.status as UserStatus[] | undefined,
    isSubscriptionActive: subscribed === undefined ? undefined : subscribed === 'true',
    roleId: filters.role_id,
    tenantId: filters.tenant_id?.[0],
  };
}

/** One page of them. */
export function userPage(params: ListParams): ListUsersApiArg {
  return { ...usersOf(params), sort: params.sort, page: params.page, pageSize: params.pageSize };
}

/** The call for a file of everything that matches, with the columns on the screen. */
export function userExport(params: ListParams, format: FileFormat, timeZone: string): FetchArgs {
  const { columns } = params;
  return { url: `${USERS_URL}/export`, params: { ...userFilter(params), format, columns, tz: timeZone } };
}
