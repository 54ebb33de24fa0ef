// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type { Gateway, GatewayConnectionList, GatewayInput, GatewayList, GatewayMessageList } from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listGatewayMessages: build.query<ListGatewayMessagesApiResponse, ListGatewayMessagesApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/gateway-messages/${encodeURIComponent(String(queryArg.name))}`,
      }),
    }),
    listGateways: build.query<ListGatewaysApiResponse, ListGatewaysApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/gateways`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          enabled: queryArg.enabled,
          after: queryArg.after,
        },
      }),
    }),
    createGateway: build.mutation<CreateGatewayApiResponse, CreateGatewayApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/gateways`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    getGateway: build.query<GetGatewayApiResponse, GetGatewayApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/gateways/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateGateway: build.mutation<UpdateGatewayApiResponse, UpdateGatewayApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/gateways/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.gatewayInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    deleteGateway: build.mutation<DeleteGatewayApiResponse, DeleteGatewayApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/gateways/${encodeURIComponent(String(queryArg.id))}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    listGatewayConnections: build.query<ListGatewayConnectionsApiResponse, ListGatewayConnectionsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/gateways/${encodeURIComponent(String(queryArg.id))}/connections`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
        },
      }),
    }),
    retireGatewaySecret: build.mutation<RetireGatewaySecretApiResponse, RetireGatewaySecretApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/gateways/${encodeURIComponent(String(queryArg.id))}/retire-secret`,
        method: 'POST',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    rotateGatewaySecret: build.mutation<RotateGatewaySecretApiResponse, RotateGatewaySecretApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/gateways/${encodeURIComponent(String(queryArg.id))}/secret`,
        method: 'POST',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as gatewaysApi };
export type ListGatewayMessagesApiResponse = /** status 200 The answer. */ GatewayMessageList;
export type ListGatewayMessagesApiArg = {
  /** The gateway's name, from the path. */
  name: string;
};
export type ListGatewaysApiResponse = /** status 200 The answer. */ GatewayList;
export type ListGatewaysApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of the name or of the notes. */
  q?: string;
  /** Only of this tenant. */
  tenantId?: string;
  /** Only those that may connect, or may not. */
  enabled?: boolean;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type CreateGatewayApiResponse = /** status 201 It is made. */ Gateway;
export type CreateGatewayApiArg = {
  body: GatewayInput & object;
};
export type GetGatewayApiResponse = /** status 200 As it is now. */ Gateway;
export type GetGatewayApiArg = {
  id: string;
};
export type UpdateGatewayApiResponse = /** status 200 As it is now. */ Gateway;
export type UpdateGatewayApiArg = {
  /** Set by the edge from the path on update. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  gatewayInput: GatewayInput;
};
export type DeleteGatewayApiResponse = unknown;
export type DeleteGatewayApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export type ListGatewayConnectionsApiResponse = /** status 200 The answer. */ GatewayConnectionList;
export type ListGatewayConnectionsApiArg = {
  /** The gateway, from the path. */
  id: string;
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
};
export type RetireGatewaySecretApiResponse = /** status 200 As it is now. */ Gateway;
export type RetireGatewaySecretApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export type RotateGatewaySecretApiResponse = /** status 200 As it is now. */ Gateway;
export type RotateGatewaySecretApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export const {
  useListGatewayMessagesQuery,
  useListGatewaysQuery,
  useCreateGatewayMutation,
  useGetGatewayQuery,
  useUpdateGatewayMutation,
  useDeleteGatewayMutation,
  useListGatewayConnectionsQuery,
  useRetireGatewaySecretMutation,
  useRotateGatewaySecretMutation,
} = injectedRtkApi;
tagCalls({
  listGatewayMessages: ['gateway-messages', 'read', 'name'],
  listGateways: ['gateways', 'list'],
  createGateway: ['gateways', 'add'],
  getGateway: ['gateways', 'read', 'id'],
  updateGateway: ['gateways', 'change', 'id'],
  deleteGateway: ['gateways', 'remove', 'id'],
  listGatewayConnections: ['gateways', 'read', 'id'],
  retireGatewaySecret: ['gateways', 'change', 'id'],
  rotateGatewaySecret: ['gateways', 'change', 'id'],
});
