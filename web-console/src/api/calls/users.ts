// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type {
  BulkUsersRequest,
  Job,
  SendLinkRequest,
  SentLink,
  User,
  UserInput,
  UserList,
  UserRolesInput,
  UserStatus,
  UserSummary,
} from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listUsers: build.query<ListUsersApiResponse, ListUsersApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/users`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          ids: queryArg.ids,
          status: queryArg.status,
          is_subscription_active: queryArg.isSubscriptionActive,
          role_id: queryArg.roleId,
          is_tenant_admin: queryArg.isTenantAdmin,
          name: queryArg.name,
          after: queryArg.after,
        },
      }),
    }),
    createUser: build.mutation<CreateUserApiResponse, CreateUserApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/users`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    bulkUsers: build.mutation<BulkUsersApiResponse, BulkUsersApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/users/bulk`,
        method: 'POST',
        body: queryArg.bulkUsersRequest,
      }),
    }),
    userSummary: build.query<UserSummaryApiResponse, UserSummaryApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/users/summary`,
        params: {
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          ids: queryArg.ids,
          status: queryArg.status,
          is_subscription_active: queryArg.isSubscriptionActive,
          role_id: queryArg.roleId,
          is_tenant_admin: queryArg.isTenantAdmin,
          name: queryArg.name,
        },
      }),
    }),
    getUser: build.query<GetUserApiResponse, GetUserApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/users/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateUser: build.mutation<UpdateUserApiResponse, UpdateUserApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/users/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.userInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    deleteUser: build.mutation<DeleteUserApiResponse, DeleteUserApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/users/${encodeURIComponent(String(queryArg.id))}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    sendUserLink: build.mutation<SendUserLinkApiResponse, SendUserLinkApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/users/${encodeURIComponent(String(queryArg.id))}/links`,
        method: 'POST',
        body: queryArg.sendLinkRequest,
      }),
    }),
    setUserRoles: build.mutation<SetUserRolesApiResponse, SetUserRolesApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/users/${encodeURIComponent(String(queryArg.id))}/roles`,
        method: 'PUT',
        body: queryArg.userRolesInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as usersApi };
export type ListUsersApiResponse = /** status 200 The answer. */ UserList;
export type ListUsersApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of name, email or phone. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only these, at most 500. */
  ids?: string[];
  /** Only these. */
  status?: UserStatus[];
  /** Only whom the subscription covers, or does not. */
  isSubscriptionActive?: boolean;
  /** Only who has one of these roles. */
  roleId?: string[];
  /** Only who administers the tenant, or does not. */
  isTenantAdmin?: boolean;
  /** Only those that are exactly so called, whatever the case: by name, email or phone. */
  name?: string[];
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type CreateUserApiResponse = /** status 201 It is made. */ User;
export type CreateUserApiArg = {
  body: UserInput & object;
};
export type BulkUsersApiResponse = /** status 202 It is started. */ Job;
export type BulkUsersApiArg = {
  bulkUsersRequest: BulkUsersRequest;
};
export type UserSummaryApiResponse = /** status 200 The answer. */ UserSummary;
export type UserSummaryApiArg = {
  /** Matches a part of name, email or phone. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only these, at most 500. */
  ids?: string[];
  /** Only these. */
  status?: UserStatus[];
  /** Only whom the subscription covers, or does not. */
  isSubscriptionActive?: boolean;
  /** Only who has one of these roles. */
  roleId?: string[];
  /** Only who administers the tenant, or does not. */
  isTenantAdmin?: boolean;
  /** Only those that are exactly so called, whatever the case: by name, email or phone. */
  name?: string[];
};
export type GetUserApiResponse = /** status 200 As it is now. */ User;
export type GetUserApiArg = {
  id: string;
};
export type UpdateUserApiResponse = /** status 200 As it is now. */ User;
export type UpdateUserApiArg = {
  /** Set by the edge from the path on update. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  userInput: UserInput;
};
export type DeleteUserApiResponse = unknown;
export type DeleteUserApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export type SendUserLinkApiResponse = /** status 200 The answer. */ SentLink;
export type SendUserLinkApiArg = {
  /** The user; from the path. */
  id: string;
  sendLinkRequest: SendLinkRequest;
};
export type SetUserRolesApiResponse = /** status 200 As it is now. */ User;
export type SetUserRolesApiArg = {
  /** The user; from the path. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  userRolesInput: UserRolesInput;
};
export const {
  useListUsersQuery,
  useCreateUserMutation,
  useBulkUsersMutation,
  useUserSummaryQuery,
  useGetUserQuery,
  useUpdateUserMutation,
  useDeleteUserMutation,
  useSendUserLinkMutation,
  useSetUserRolesMutation,
} = injectedRtkApi;
tagCalls({
  listUsers: ['users', 'list'],
  createUser: ['users', 'add'],
  bulkUsers: ['users', 'add'],
  userSummary: ['users', 'list'],
  getUser: ['users', 'read', 'id'],
  updateUser: ['users', 'change', 'id'],
  deleteUser: ['users', 'remove', 'id'],
  sendUserLink: ['users', 'change', 'id'],
  setUserRoles: ['users', 'change', 'id'],
});
