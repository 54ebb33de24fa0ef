// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type {
  DecisionList,
  Role,
  RoleInput,
  RoleList,
  RolePermissions,
  RolePermissionsInput,
  RoleTemplateList,
} from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listRoles: build.query<ListRolesApiResponse, ListRolesApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/roles`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          after: queryArg.after,
        },
      }),
    }),
    createRole: build.mutation<CreateRoleApiResponse, CreateRoleApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/roles`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    roleTemplates: build.query<RoleTemplatesApiResponse, RoleTemplatesApiArg>({
      query: () => ({ url: `/api/v1/roles/templates` }),
    }),
    getRole: build.query<GetRoleApiResponse, GetRoleApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/roles/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateRole: build.mutation<UpdateRoleApiResponse, UpdateRoleApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/roles/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.roleInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    deleteRole: build.mutation<DeleteRoleApiResponse, DeleteRoleApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/roles/${encodeURIComponent(String(queryArg.id))}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    getRolePermissions: build.query<GetRolePermissionsApiResponse, GetRolePermissionsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/roles/${encodeURIComponent(String(queryArg.id))}/permissions`,
      }),
    }),
    setRolePermissions: build.mutation<SetRolePermissionsApiResponse, SetRolePermissionsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/roles/${encodeURIComponent(String(queryArg.id))}/permissions`,
        method: 'PUT',
        body: queryArg.rolePermissionsInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    userDecisions: build.query<UserDecisionsApiResponse, UserDecisionsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/users/${encodeURIComponent(String(queryArg.id))}/decisions`,
        params: {
          key: queryArg.key,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as rolesApi };
export type ListRolesApiResponse = /** status 200 The answer. */ RoleList;
export type ListRolesApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of name or description. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type CreateRoleApiResponse = /** status 201 It is made. */ Role;
export type CreateRoleApiArg = {
  body: RoleInput & object;
};
export type RoleTemplatesApiResponse = /** status 200 The answer. */ RoleTemplateList;
export type RoleTemplatesApiArg = void;
export type GetRoleApiResponse = /** status 200 As it is now. */ Role;
export type GetRoleApiArg = {
  id: string;
};
export type UpdateRoleApiResponse = /** status 200 As it is now. */ Role;
export type UpdateRoleApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  roleInput: RoleInput;
};
export type DeleteRoleApiResponse = unknown;
export type DeleteRoleApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export type GetRolePermissionsApiResponse = /** status 200 As it is now. */ RolePermissions;
export type GetRolePermissionsApiArg = {
  id: string;
};
export type SetRolePermissionsApiResponse = /** status 200 As it is now. */ RolePermissions;
export type SetRolePermissionsApiArg = {
  /** The role; from the path. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  rolePermissionsInput: RolePermissionsInput;
};
export type UserDecisionsApiResponse = /** status 200 The answer. */ DecisionList;
export type UserDecisionsApiArg = {
  /** The user. */
  id: string;
  /** Only this permission; all of the catalogue when absent. */
  key?: string;
};
export const {
  useListRolesQuery,
  useCreateRoleMutation,
  useRoleTemplatesQuery,
  useGetRoleQuery,
  useUpdateRoleMutation,
  useDeleteRoleMutation,
  useGetRolePermissionsQuery,
  useSetRolePermissionsMutation,
  useUserDecisionsQuery,
} = injectedRtkApi;
tagCalls({
  listRoles: ['roles', 'list'],
  createRole: ['roles', 'add'],
  getRole: ['roles', 'read', 'id'],
  updateRole: ['roles', 'change', 'id'],
  deleteRole: ['roles', 'remove', 'id'],
  getRolePermissions: ['roles', 'read', 'id'],
  setRolePermissions: ['roles', 'change', 'id'],
  userDecisions: ['users', 'read', 'id'],
});
