// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type {
  BulkDeviceMembersRequest,
  DeviceAccessList,
  DeviceMember,
  DeviceMemberInput,
  DeviceMemberList,
  DeviceMemberRole,
  DeviceMemberStatus,
  Job,
  LinkDevicesReport,
  LinkDevicesRequest,
  UserAccess,
} from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listDeviceMembers: build.query<ListDeviceMembersApiResponse, ListDeviceMembersApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/device-members`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          user_id: queryArg.userId,
          device_id: queryArg.deviceId,
          role: queryArg.role,
          status: queryArg.status,
          after: queryArg.after,
        },
      }),
    }),
    createDeviceMember: build.mutation<CreateDeviceMemberApiResponse, CreateDeviceMemberApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/device-members`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    bulkDeviceMembers: build.mutation<BulkDeviceMembersApiResponse, BulkDeviceMembersApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/device-members/bulk`,
        method: 'POST',
        body: queryArg.bulkDeviceMembersRequest,
      }),
    }),
    linkDevices: build.mutation<LinkDevicesApiResponse, LinkDevicesApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/device-members/link`,
        method: 'POST',
        body: queryArg.linkDevicesRequest,
      }),
    }),
    getDeviceMember: build.query<GetDeviceMemberApiResponse, GetDeviceMemberApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/device-members/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateDeviceMember: build.mutation<UpdateDeviceMemberApiResponse, UpdateDeviceMemberApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/device-members/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.deviceMemberInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    deleteDeviceMember: build.mutation<DeleteDeviceMemberApiResponse, DeleteDeviceMemberApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/device-members/${encodeURIComponent(String(queryArg.id))}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    listDeviceAccess: build.query<ListDeviceAccessApiResponse, ListDeviceAccessApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}/access`,
      }),
    }),
    getUserAccess: build.query<GetUserAccessApiResponse, GetUserAccessApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/users/${encodeURIComponent(String(queryArg.id))}/device-access`,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as deviceMembersApi };
export type ListDeviceMembersApiResponse = /** status 200 The answer. */ DeviceMemberList;
export type ListDeviceMembersApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of the device's name, vehicle code or IMEI. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only links of these users, when there are any. */
  userId?: string[];
  /** Only links to these devices, when there are any. */
  deviceId?: string[];
  /** Only these, when there are any. */
  role?: DeviceMemberRole[];
  /** Only those that hold, or that ended. */
  status?: DeviceMemberStatus;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type CreateDeviceMemberApiResponse = /** status 201 It is made. */ DeviceMember;
export type CreateDeviceMemberApiArg = {
  body: DeviceMemberInput & object;
};
export type BulkDeviceMembersApiResponse = /** status 202 It is started. */ Job;
export type BulkDeviceMembersApiArg = {
  bulkDeviceMembersRequest: BulkDeviceMembersRequest;
};
export type LinkDevicesApiResponse = /** status 200 The answer. */ LinkDevicesReport;
export type LinkDevicesApiArg = {
  linkDevicesRequest: LinkDevicesRequest;
};
export type GetDeviceMemberApiResponse = /** status 200 As it is now. */ DeviceMember;
export type GetDeviceMemberApiArg = {
  id: string;
};
export type UpdateDeviceMemberApiResponse = /** status 200 As it is now. */ DeviceMember;
export type UpdateDeviceMemberApiArg = {
  /** Set by the edge from the path on update. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  deviceMemberInput: DeviceMemberInput;
};
export type DeleteDeviceMemberApiResponse = unknown;
export type DeleteDeviceMemberApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export type ListDeviceAccessApiResponse = /** status 200 The answer. */ DeviceAccessList;
export type ListDeviceAccessApiArg = {
  /** The device; from the path. */
  id: string;
};
export type GetUserAccessApiResponse = /** status 200 The answer. */ UserAccess;
export type GetUserAccessApiArg = {
  /** The user; from the path. */
  id: string;
};
export const {
  useListDeviceMembersQuery,
  useCreateDeviceMemberMutation,
  useBulkDeviceMembersMutation,
  useLinkDevicesMutation,
  useGetDeviceMemberQuery,
  useUpdateDeviceMemberMutation,
  useDeleteDeviceMemberMutation,
  useListDeviceAccessQuery,
  useGetUserAccessQuery,
} = injectedRtkApi;
tagCalls({
  listDeviceMembers: ['device-members', 'list'],
  createDeviceMember: ['device-members', 'add'],
  bulkDeviceMembers: ['device-members', 'add'],
  linkDevices: ['device-members', 'add'],
  getDeviceMember: ['device-members', 'read', 'id'],
  updateDeviceMember: ['device-members', 'change', 'id'],
  deleteDeviceMember: ['device-members', 'remove', 'id'],
  listDeviceAccess: ['devices', 'read', 'id'],
  getUserAccess: ['users', 'read', 'id'],
});
