// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type {
  BulkTenantsRequest,
  CostModel,
  DeleteTenantInput,
  Job,
  SubscriptionStatus,
  Tenant,
  TenantInput,
  TenantList,
  TenantSummary,
} from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listTenants: build.query<ListTenantsApiResponse, ListTenantsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/tenants`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          ids: queryArg.ids,
          active: queryArg.active,
          subscription_status: queryArg.subscriptionStatus,
          cost_model: queryArg.costModel,
          deleted: queryArg.deleted,
          after: queryArg.after,
        },
      }),
    }),
    createTenant: build.mutation<CreateTenantApiResponse, CreateTenantApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/tenants`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    bulkTenants: build.mutation<BulkTenantsApiResponse, BulkTenantsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/tenants/bulk`,
        method: 'POST',
        body: queryArg.bulkTenantsRequest,
      }),
    }),
    tenantSummary: build.query<TenantSummaryApiResponse, TenantSummaryApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/tenants/summary`,
        params: {
          q: queryArg.q,
          ids: queryArg.ids,
          active: queryArg.active,
          subscription_status: queryArg.subscriptionStatus,
          cost_model: queryArg.costModel,
          deleted: queryArg.deleted,
        },
      }),
    }),
    getTenant: build.query<GetTenantApiResponse, GetTenantApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/tenants/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateTenant: build.mutation<UpdateTenantApiResponse, UpdateTenantApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/tenants/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.tenantInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    deleteTenant: build.mutation<DeleteTenantApiResponse, DeleteTenantApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/tenants/${encodeURIComponent(String(queryArg.id))}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
        params: {
          name: queryArg.name,
        },
      }),
    }),
    eraseTenant: build.mutation<EraseTenantApiResponse, EraseTenantApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/tenants/${encodeURIComponent(String(queryArg.id))}/erasure`,
        method: 'POST',
        body: queryArg.deleteTenantInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    restoreTenant: build.mutation<RestoreTenantApiResponse, RestoreTenantApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/tenants/${encodeURIComponent(String(queryArg.id))}/restore`,
        method: 'POST',
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as tenantsApi };
export type ListTenantsApiResponse = /** status 200 The answer. */ TenantList;
export type ListTenantsApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of name or description. */
  q?: string;
  /** Only these, at most 500. */
  ids?: string[];
  /** Only those that are active, or are not. */
  active?: boolean;
  /** Only these. */
  subscriptionStatus?: SubscriptionStatus[];
  /** Only these. */
  costModel?: CostModel[];
  /** `true` for those that are deleted and not erased yet, instead of the others. */
  deleted?: boolean;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type CreateTenantApiResponse = /** status 201 It is made. */ Tenant;
export type CreateTenantApiArg = {
  body: TenantInput & object;
};
export type BulkTenantsApiResponse = /** status 202 It is started. */ Job;
export type BulkTenantsApiArg = {
  bulkTenantsRequest: BulkTenantsRequest;
};
export type TenantSummaryApiResponse = /** status 200 The answer. */ TenantSummary;
export type TenantSummaryApiArg = {
  /** Matches a part of name or description. */
  q?: string;
  /** Only these, at most 500. */
  ids?: string[];
  /** Only those that are active, or are not. */
  active?: boolean;
  /** Only these. */
  subscriptionStatus?: SubscriptionStatus[];
  /** Only these. */
  costModel?: CostModel[];
  /** `true` for those that are deleted and not erased yet, instead of the others. */
  deleted?: boolean;
};
export type GetTenantApiResponse = /** status 200 As it is now. */ Tenant;
export type GetTenantApiArg = {
  id: string;
};
export type UpdateTenantApiResponse = /** status 200 As it is now. */ Tenant;
export type UpdateTenantApiArg = {
  /** Set by the edge from the path on update. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  tenantInput: TenantInput;
};
export type DeleteTenantApiResponse = /** status 200 As it is now. */ Tenant;
export type DeleteTenantApiArg = {
  /** Set by the edge from the path. */
  id: string;
  /** The tenant's name as it stands, typed by whoever wants it gone. */
  name: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export type EraseTenantApiResponse = unknown;
export type EraseTenantApiArg = {
  /** Set by the edge from the path. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  deleteTenantInput: DeleteTenantInput;
};
export type RestoreTenantApiResponse = /** status 200 As it is now. */ Tenant;
export type RestoreTenantApiArg = {
  id: string;
};
export const {
  useListTenantsQuery,
  useCreateTenantMutation,
  useBulkTenantsMutation,
  useTenantSummaryQuery,
  useGetTenantQuery,
  useUpdateTenantMutation,
  useDeleteTenantMutation,
  useEraseTenantMutation,
  useRestoreTenantMutation,
} = injectedRtkApi;
tagCalls({
  listTenants: ['tenants', 'list'],
  createTenant: ['tenants', 'add'],
  bulkTenants: ['tenants', 'add'],
  tenantSummary: ['tenants', 'list'],
  getTenant: ['tenants', 'read', 'id'],
  updateTenant: ['tenants', 'change', 'id'],
  deleteTenant: ['tenants', 'remove', 'id'],
  eraseTenant: ['tenants', 'change', 'id'],
  restoreTenant: ['tenants', 'change', 'id'],
});
