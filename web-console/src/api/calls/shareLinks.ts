// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type { ShareLink, ShareLinkInput, ShareLinkList, ShareLinkStatus } from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listShareLinks: build.query<ListShareLinksApiResponse, ListShareLinksApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/share-links`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          device_id: queryArg.deviceId,
          user_id: queryArg.userId,
          status: queryArg.status,
          device_group_id: queryArg.deviceGroupId,
          after: queryArg.after,
        },
      }),
    }),
    createShareLink: build.mutation<CreateShareLinkApiResponse, CreateShareLinkApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/share-links`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    getShareLink: build.query<GetShareLinkApiResponse, GetShareLinkApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/share-links/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateShareLink: build.mutation<UpdateShareLinkApiResponse, UpdateShareLinkApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/share-links/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.shareLinkInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    deleteShareLink: build.mutation<DeleteShareLinkApiResponse, DeleteShareLinkApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/share-links/${encodeURIComponent(String(queryArg.id))}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    renewShareLinkAddress: build.mutation<RenewShareLinkAddressApiResponse, RenewShareLinkAddressApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/share-links/${encodeURIComponent(String(queryArg.id))}/address`,
        method: 'POST',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    revokeShareLink: build.mutation<RevokeShareLinkApiResponse, RevokeShareLinkApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/share-links/${encodeURIComponent(String(queryArg.id))}/revoke`,
        method: 'POST',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as shareLinksApi };
export type ListShareLinksApiResponse = /** status 200 The answer. */ ShareLinkList;
export type ListShareLinksApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of the name. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only those of these devices, when there are any. */
  deviceId?: string[];
  /** Only those that these users made, when there are any. */
  userId?: string[];
  /** Only these, when there are any. */
  status?: ShareLinkStatus[];
  /** Only those of these groups, when there are any. */
  deviceGroupId?: string[];
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type CreateShareLinkApiResponse = /** status 201 It is made. */ ShareLink;
export type CreateShareLinkApiArg = {
  body: ShareLinkInput & object;
};
export type GetShareLinkApiResponse = /** status 200 As it is now. */ ShareLink;
export type GetShareLinkApiArg = {
  id: string;
};
export type UpdateShareLinkApiResponse = /** status 200 As it is now. */ ShareLink;
export type UpdateShareLinkApiArg = {
  /** Set by the edge from the path on update. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  shareLinkInput: ShareLinkInput;
};
export type DeleteShareLinkApiResponse = unknown;
export type DeleteShareLinkApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export type RenewShareLinkAddressApiResponse = /** status 200 As it is now. */ ShareLink;
export type RenewShareLinkAddressApiArg = {
  /** From the path. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export type RevokeShareLinkApiResponse = /** status 200 As it is now. */ ShareLink;
export type RevokeShareLinkApiArg = {
  /** From the path. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export const {
  useListShareLinksQuery,
  useCreateShareLinkMutation,
  useGetShareLinkQuery,
  useUpdateShareLinkMutation,
  useDeleteShareLinkMutation,
  useRenewShareLinkAddressMutation,
  useRevokeShareLinkMutation,
} = injectedRtkApi;
tagCalls({
  listShareLinks: ['share-links', 'list'],
  createShareLink: ['share-links', 'add'],
  getShareLink: ['share-links', 'read', 'id'],
  updateShareLink: ['share-links', 'change', 'id'],
  deleteShareLink: ['share-links', 'remove', 'id'],
  renewShareLinkAddress: ['share-links', 'change', 'id'],
  revokeShareLink: ['share-links', 'change', 'id'],
});
