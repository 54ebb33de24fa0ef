// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type {
  BulkMaintenanceLogsRequest,
  Job,
  MaintenanceCosts,
  MaintenanceLog,
  MaintenanceLogInput,
  MaintenanceLogList,
} from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listMaintenanceLogs: build.query<ListMaintenanceLogsApiResponse, ListMaintenanceLogsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/maintenance-logs`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          maintenance_id: queryArg.maintenanceId,
          device_id: queryArg.deviceId,
          from: queryArg['from'],
          until: queryArg.until,
          is_late: queryArg.isLate,
          after: queryArg.after,
        },
      }),
    }),
    createMaintenanceLog: build.mutation<CreateMaintenanceLogApiResponse, CreateMaintenanceLogApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/maintenance-logs`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    bulkMaintenanceLogs: build.mutation<BulkMaintenanceLogsApiResponse, BulkMaintenanceLogsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/maintenance-logs/bulk`,
        method: 'POST',
        body: queryArg.bulkMaintenanceLogsRequest,
      }),
    }),
    maintenanceCosts: build.query<MaintenanceCostsApiResponse, MaintenanceCostsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/maintenance-logs/costs`,
        params: {
          tenant_id: queryArg.tenantId,
          device_id: queryArg.deviceId,
          from: queryArg['from'],
          until: queryArg.until,
        },
      }),
    }),
    getMaintenanceLog: build.query<GetMaintenanceLogApiResponse, GetMaintenanceLogApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/maintenance-logs/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateMaintenanceLog: build.mutation<UpdateMaintenanceLogApiResponse, UpdateMaintenanceLogApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/maintenance-logs/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.maintenanceLogInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    deleteMaintenanceLog: build.mutation<DeleteMaintenanceLogApiResponse, DeleteMaintenanceLogApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/maintenance-logs/${encodeURIComponent(String(queryArg.id))}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as maintenanceLogsApi };
export type ListMaintenanceLogsApiResponse = /** status 200 The answer. */ MaintenanceLogList;
export type ListMaintenanceLogsApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of the title, the vendor, the parts, the notes, or the name or plate of the vehicle. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only of this maintenance. */
  maintenanceId?: string;
  /** Only of this vehicle. */
  deviceId?: string;
  /** Only what was done on this day or later. */
  from?: string;
  /** Only what was done on this day or before. */
  until?: string;
  /** Only what was late, or was not. */
  isLate?: boolean;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type CreateMaintenanceLogApiResponse = /** status 201 It is made. */ MaintenanceLog;
export type CreateMaintenanceLogApiArg = {
  body: MaintenanceLogInput & object;
};
export type BulkMaintenanceLogsApiResponse = /** status 202 It is started. */ Job;
export type BulkMaintenanceLogsApiArg = {
  bulkMaintenanceLogsRequest: BulkMaintenanceLogsRequest;
};
export type MaintenanceCostsApiResponse = /** status 200 The answer. */ MaintenanceCosts;
export type MaintenanceCostsApiArg = {
  /** A platform owner has to say of whom: tenants have currencies of their own. */
  tenantId?: string;
  /** Only of this vehicle. */
  deviceId?: string;
  from?: string;
  until?: string;
};
export type GetMaintenanceLogApiResponse = /** status 200 As it is now. */ MaintenanceLog;
export type GetMaintenanceLogApiArg = {
  id: string;
};
export type UpdateMaintenanceLogApiResponse = /** status 200 As it is now. */ MaintenanceLog;
export type UpdateMaintenanceLogApiArg = {
  /** Set by the edge from the path on update. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  maintenanceLogInput: MaintenanceLogInput;
};
export type DeleteMaintenanceLogApiResponse = unknown;
export type DeleteMaintenanceLogApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export const {
  useListMaintenanceLogsQuery,
  useCreateMaintenanceLogMutation,
  useBulkMaintenanceLogsMutation,
  useMaintenanceCostsQuery,
  useGetMaintenanceLogQuery,
  useUpdateMaintenanceLogMutation,
  useDeleteMaintenanceLogMutation,
} = injectedRtkApi;
tagCalls({
  listMaintenanceLogs: ['maintenance-logs', 'list'],
  createMaintenanceLog: ['maintenance-logs', 'add'],
  bulkMaintenanceLogs: ['maintenance-logs', 'add'],
  maintenanceCosts: ['maintenance-logs', 'list'],
  getMaintenanceLog: ['maintenance-logs', 'read', 'id'],
  updateMaintenanceLog: ['maintenance-logs', 'change', 'id'],
  deleteMaintenanceLog: ['maintenance-logs', 'remove', 'id'],
});
