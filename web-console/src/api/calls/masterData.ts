// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type {
  BulkMasterDataRequest,
  Job,
  MasterDataEntry,
  MasterDataEntryInput,
  MasterDataKind,
  MasterDataList,
  MasterDataUsage,
  ReplaceMasterDataRequest,
} from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listMasterData: build.query<ListMasterDataApiResponse, ListMasterDataApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/master-data`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          kind: queryArg.kind,
          parent_id: queryArg.parentId,
          is_own: queryArg.isOwn,
          ids: queryArg.ids,
          name: queryArg.name,
          after: queryArg.after,
        },
      }),
    }),
    createMasterDataEntry: build.mutation<CreateMasterDataEntryApiResponse, CreateMasterDataEntryApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/master-data`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    bulkMasterData: build.mutation<BulkMasterDataApiResponse, BulkMasterDataApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/master-data/bulk`,
        method: 'POST',
        body: queryArg.bulkMasterDataRequest,
      }),
    }),
    getMasterDataEntry: build.query<GetMasterDataEntryApiResponse, GetMasterDataEntryApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/master-data/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateMasterDataEntry: build.mutation<UpdateMasterDataEntryApiResponse, UpdateMasterDataEntryApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/master-data/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.masterDataEntryInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    deleteMasterDataEntry: build.mutation<DeleteMasterDataEntryApiResponse, DeleteMasterDataEntryApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/master-data/${encodeURIComponent(String(queryArg.id))}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    replaceMasterDataEntry: build.mutation<ReplaceMasterDataEntryApiResponse, ReplaceMasterDataEntryApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/master-data/${encodeURIComponent(String(queryArg.id))}/replace`,
        method: 'POST',
        body: queryArg.replaceMasterDataRequest,
      }),
    }),
    getMasterDataUsage: build.query<GetMasterDataUsageApiResponse, GetMasterDataUsageApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/master-data/${encodeURIComponent(String(queryArg.id))}/usage`,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as masterDataApi };
export type ListMasterDataApiResponse = /** status 200 The answer. */ MasterDataList;
export type ListMasterDataApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of name, brand or description. */
  q?: string;
  /** The entries of this tenant and those of the platform. */
  tenantId?: string;
  /** Only these. */
  kind?: MasterDataKind;
  /** Only what belongs to these brands, or lies in these groups, when there are any. */
  parentId?: string[];
  /** Only those of tenants, or only those of the platform. */
  isOwn?: boolean;
  /** Only these, at most 500. */
  ids?: string[];
  /** Only what is exactly so called, whatever the case: by name, or by name and what is before it. */
  name?: string[];
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type CreateMasterDataEntryApiResponse = /** status 201 It is made. */ MasterDataEntry;
export type CreateMasterDataEntryApiArg = {
  body: MasterDataEntryInput & object;
};
export type BulkMasterDataApiResponse = /** status 202 It is started. */ Job;
export type BulkMasterDataApiArg = {
  bulkMasterDataRequest: BulkMasterDataRequest;
};
export type GetMasterDataEntryApiResponse = /** status 200 As it is now. */ MasterDataEntry;
export type GetMasterDataEntryApiArg = {
  id: string;
};
export type UpdateMasterDataEntryApiResponse = /** status 200 As it is now. */ MasterDataEntry;
export type UpdateMasterDataEntryApiArg = {
  /** Set by the edge from the path on update. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  masterDataEntryInput: MasterDataEntryInput;
};
export type DeleteMasterDataEntryApiResponse = unknown;
export type DeleteMasterDataEntryApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export type ReplaceMasterDataEntryApiResponse = /** status 200 The answer. */ MasterDataUsage;
export type ReplaceMasterDataEntryApiArg = {
  /** The entry that is named now; from the path. */
  id: string;
  replaceMasterDataRequest: ReplaceMasterDataRequest;
};
export type GetMasterDataUsageApiResponse = /** status 200 The answer. */ MasterDataUsage;
export type GetMasterDataUsageApiArg = {
  id: string;
};
export const {
  useListMasterDataQuery,
  useCreateMasterDataEntryMutation,
  useBulkMasterDataMutation,
  useGetMasterDataEntryQuery,
  useUpdateMasterDataEntryMutation,
  useDeleteMasterDataEntryMutation,
  useReplaceMasterDataEntryMutation,
  useGetMasterDataUsageQuery,
} = injectedRtkApi;
tagCalls({
  listMasterData: ['master-data', 'list'],
  createMasterDataEntry: ['master-data', 'add'],
  bulkMasterData: ['master-data', 'add'],
  getMasterDataEntry: ['master-data', 'read', 'id'],
  updateMasterDataEntry: ['master-data', 'change', 'id'],
  deleteMasterDataEntry: ['master-data', 'remove', 'id'],
  replaceMasterDataEntry: ['master-data', 'change', 'id'],
  getMasterDataUsage: ['master-data', 'read', 'id'],
});
