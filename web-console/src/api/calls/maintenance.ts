// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type {
  BulkMaintenanceRequest,
  Job,
  Maintenance,
  MaintenanceInput,
  MaintenanceList,
  MaintenancePlanRequest,
  MaintenanceState,
  MaintenanceSummary,
  MaintenanceWords,
} from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listMaintenance: build.query<ListMaintenanceApiResponse, ListMaintenanceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/maintenance`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          state: queryArg.state,
          status: queryArg.status,
          priority: queryArg.priority,
          device_id: queryArg.deviceId,
          expected_from: queryArg.expectedFrom,
          expected_until: queryArg.expectedUntil,
          group_id: queryArg.groupId,
          after: queryArg.after,
        },
      }),
    }),
    createMaintenance: build.mutation<CreateMaintenanceApiResponse, CreateMaintenanceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/maintenance`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    bulkMaintenance: build.mutation<BulkMaintenanceApiResponse, BulkMaintenanceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/maintenance/bulk`,
        method: 'POST',
        body: queryArg.bulkMaintenanceRequest,
      }),
    }),
    planMaintenance: build.mutation<PlanMaintenanceApiResponse, PlanMaintenanceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/maintenance/plan`,
        method: 'POST',
        body: queryArg.maintenancePlanRequest,
      }),
    }),
    maintenanceSummary: build.query<MaintenanceSummaryApiResponse, MaintenanceSummaryApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/maintenance/summary`,
        params: {
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          state: queryArg.state,
          status: queryArg.status,
          priority: queryArg.priority,
          device_id: queryArg.deviceId,
          expected_from: queryArg.expectedFrom,
          expected_until: queryArg.expectedUntil,
          group_id: queryArg.groupId,
        },
      }),
    }),
    maintenanceWords: build.query<MaintenanceWordsApiResponse, MaintenanceWordsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/maintenance/words`,
        params: {
          tenant_id: queryArg.tenantId,
        },
      }),
    }),
    getMaintenance: build.query<GetMaintenanceApiResponse, GetMaintenanceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/maintenance/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateMaintenance: build.mutation<UpdateMaintenanceApiResponse, UpdateMaintenanceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/maintenance/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.maintenanceInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    deleteMaintenance: build.mutation<DeleteMaintenanceApiResponse, DeleteMaintenanceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/maintenance/${encodeURIComponent(String(queryArg.id))}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as maintenanceApi };
export type ListMaintenanceApiResponse = /** status 200 The answer. */ MaintenanceList;
export type ListMaintenanceApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of the title, the detail, the status, or the name or plate of the vehicle. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only these, when there are any. */
  state?: MaintenanceState[];
  /** Only those whose status is one of these, however it is written. */
  status?: string[];
  /** Only those whose priority is one of these, however it is written. */
  priority?: string[];
  /** Only of this vehicle. */
  deviceId?: string;
  /** Only those that will be due on this day or later, by date or forecast. */
  expectedFrom?: string;
  /** Only those that will be due on this day or before, by date or forecast. */
  expectedUntil?: string;
  /** Only those whose vehicle is in one of these groups, or in one that lies in them. */
  groupId?: string[];
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type CreateMaintenanceApiResponse = /** status 201 It is made. */ Maintenance;
export type CreateMaintenanceApiArg = {
  body: MaintenanceInput & object;
};
export type BulkMaintenanceApiResponse = /** status 202 It is started. */ Job;
export type BulkMaintenanceApiArg = {
  bulkMaintenanceRequest: BulkMaintenanceRequest;
};
export type PlanMaintenanceApiResponse = /** status 202 It is started. */ Job;
export type PlanMaintenanceApiArg = {
  maintenancePlanRequest: MaintenancePlanRequest;
};
export type MaintenanceSummaryApiResponse = /** status 200 The answer. */ MaintenanceSummary;
export type MaintenanceSummaryApiArg = {
  /** Matches a part of the title, the detail, the status, or the name or plate of the vehicle. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only these, when there are any. */
  state?: MaintenanceState[];
  /** Only those whose status is one of these, however it is written. */
  status?: string[];
  /** Only those whose priority is one of these, however it is written. */
  priority?: string[];
  /** Only of this vehicle. */
  deviceId?: string;
  /** Only those that will be due on this day or later, by date or forecast. */
  expectedFrom?: string;
  /** Only those that will be due on this day or before, by date or forecast. */
  expectedUntil?: string;
  /** Only those whose vehicle is in one of these groups, or in one that lies in them. */
  groupId?: string[];
};
export type MaintenanceWordsApiResponse = /** status 200 The answer. */ MaintenanceWords;
export type MaintenanceWordsApiArg = {
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
};
export type GetMaintenanceApiResponse = /** status 200 As it is now. */ Maintenance;
export type GetMaintenanceApiArg = {
  id: string;
};
export type UpdateMaintenanceApiResponse = /** status 200 As it is now. */ Maintenance;
export type UpdateMaintenanceApiArg = {
  /** Set by the edge from the path on update. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  maintenanceInput: MaintenanceInput;
};
export type DeleteMaintenanceApiResponse = unknown;
export type DeleteMaintenanceApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export const {
  useListMaintenanceQuery,
  useCreateMaintenanceMutation,
  useBulkMaintenanceMutation,
  usePlanMaintenanceMutation,
  useMaintenanceSummaryQuery,
  useMaintenanceWordsQuery,
  useGetMaintenanceQuery,
  useUpdateMaintenanceMutation,
  useDeleteMaintenanceMutation,
} = injectedRtkApi;
tagCalls({
  listMaintenance: ['maintenance', 'list'],
  createMaintenance: ['maintenance', 'add'],
  bulkMaintenance: ['maintenance', 'add'],
  planMaintenance: ['maintenance', 'add'],
  maintenanceSummary: ['maintenance', 'list'],
  maintenanceWords: ['maintenance', 'list'],
  getMaintenance: ['maintenance', 'read', 'id'],
  updateMaintenance: ['maintenance', 'change', 'id'],
  deleteMaintenance: ['maintenance', 'remove', 'id'],
});
