// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type { Permission, PermissionInput, PermissionList } from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listPermissions: build.query<ListPermissionsApiResponse, ListPermissionsApiArg>({
      query: () => ({ url: `/api/v1/permissions` }),
    }),
    createPermission: build.mutation<CreatePermissionApiResponse, CreatePermissionApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/permissions`,
        method: 'POST',
        body: queryArg.permissionInput,
      }),
    }),
    updatePermission: build.mutation<UpdatePermissionApiResponse, UpdatePermissionApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/permissions/${encodeURIComponent(String(queryArg.key))}`,
        method: 'PUT',
        body: queryArg.permissionInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    deletePermission: build.mutation<DeletePermissionApiResponse, DeletePermissionApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/permissions/${encodeURIComponent(String(queryArg.key))}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as permissionsApi };
export type ListPermissionsApiResponse = /** status 200 The answer. */ PermissionList;
export type ListPermissionsApiArg = void;
export type CreatePermissionApiResponse = /** status 201 It is made. */ Permission;
export type CreatePermissionApiArg = {
  permissionInput: PermissionInput;
};
export type UpdatePermissionApiResponse = /** status 200 As it is now. */ Permission;
export type UpdatePermissionApiArg = {
  key: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  permissionInput: PermissionInput;
};
export type DeletePermissionApiResponse = unknown;
export type DeletePermissionApiArg = {
  key: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export const {
  useListPermissionsQuery,
  useCreatePermissionMutation,
  useUpdatePermissionMutation,
  useDeletePermissionMutation,
} = injectedRtkApi;
tagCalls({
  listPermissions: ['permissions', 'list'],
  createPermission: ['permissions', 'add'],
  updatePermission: ['permissions', 'change', 'key'],
  deletePermission: ['permissions', 'remove', 'key'],
});
