// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type {
  BulkDriversRequest,
  Driver,
  DriverAssignmentList,
  DriverInput,
  DriverList,
  DriverStatus,
  Job,
} from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listDriverAssignments: build.query<ListDriverAssignmentsApiResponse, ListDriverAssignmentsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/driver-assignments`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          driver_id: queryArg.driverId,
          device_id: queryArg.deviceId,
          tenant_id: queryArg.tenantId,
          after: queryArg.after,
        },
      }),
    }),
    listDrivers: build.query<ListDriversApiResponse, ListDriversApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/drivers`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          status: queryArg.status,
          name: queryArg.name,
          after: queryArg.after,
        },
      }),
    }),
    createDriver: build.mutation<CreateDriverApiResponse, CreateDriverApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/drivers`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    bulkDrivers: build.mutation<BulkDriversApiResponse, BulkDriversApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/drivers/bulk`,
        method: 'POST',
        body: queryArg.bulkDriversRequest,
      }),
    }),
    getDriver: build.query<GetDriverApiResponse, GetDriverApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/drivers/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateDriver: build.mutation<UpdateDriverApiResponse, UpdateDriverApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/drivers/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.driverInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    deleteDriver: build.mutation<DeleteDriverApiResponse, DeleteDriverApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/drivers/${encodeURIComponent(String(queryArg.id))}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as driversApi };
export type ListDriverAssignmentsApiResponse = /** status 200 The answer. */ DriverAssignmentList;
export type ListDriverAssignmentsApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Only of this driver. */
  driverId?: string;
  /** Only of this device. */
  deviceId?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type ListDriversApiResponse = /** status 200 The answer. */ DriverList;
export type ListDriversApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of name, email, phone, license plate or license number, or of what a card sends. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only these, when there are any. */
  status?: DriverStatus[];
  /** Only those that are exactly so called, whatever the case: by name, email, phone, or identification. */
  name?: string[];
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type CreateDriverApiResponse = /** status 201 It is made. */ Driver;
export type CreateDriverApiArg = {
  body: DriverInput & object;
};
export type BulkDriversApiResponse = /** status 202 It is started. */ Job;
export type BulkDriversApiArg = {
  bulkDriversRequest: BulkDriversRequest;
};
export type GetDriverApiResponse = /** status 200 As it is now. */ Driver;
export type GetDriverApiArg = {
  id: string;
};
export type UpdateDriverApiResponse = /** status 200 As it is now. */ Driver;
export type UpdateDriverApiArg = {
  /** Set by the edge from the path on update. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  driverInput: DriverInput;
};
export type DeleteDriverApiResponse = unknown;
export type DeleteDriverApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export const {
  useListDriverAssignmentsQuery,
  useListDriversQuery,
  useCreateDriverMutation,
  useBulkDriversMutation,
  useGetDriverQuery,
  useUpdateDriverMutation,
  useDeleteDriverMutation,
} = injectedRtkApi;
tagCalls({
  listDriverAssignments: ['driver-assignments', 'list'],
  listDrivers: ['drivers', 'list'],
  createDriver: ['drivers', 'add'],
  bulkDrivers: ['drivers', 'add'],
  getDriver: ['drivers', 'read', 'id'],
  updateDriver: ['drivers', 'change', 'id'],
  deleteDriver: ['drivers', 'remove', 'id'],
});
