// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type {
  HeardImeiList,
  ImeiAssignmentInput,
  ImeiAssignmentLines,
  ImeiAssignmentList,
  ImeiClaim,
  ImeiClaimList,
  ImeiClaimStatus,
  ImeiDecisionInput,
} from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listHeardImeis: build.query<ListHeardImeisApiResponse, ListHeardImeisApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/heard-imeis`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          gateway: queryArg.gateway,
          tenant_id: queryArg.tenantId,
        },
      }),
    }),
    listImeiAssignments: build.query<ListImeiAssignmentsApiResponse, ListImeiAssignmentsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/imei-assignments`,
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
    assignImeis: build.mutation<AssignImeisApiResponse, AssignImeisApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/imei-assignments`,
        method: 'POST',
        body: queryArg.imeiAssignmentInput,
      }),
    }),
    unassignImei: build.mutation<UnassignImeiApiResponse, UnassignImeiApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/imei-assignments/${encodeURIComponent(String(queryArg.imei))}`,
        method: 'DELETE',
      }),
    }),
    listImeiClaims: build.query<ListImeiClaimsApiResponse, ListImeiClaimsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/imei-claims`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          status: queryArg.status,
          tenant_id: queryArg.tenantId,
          after: queryArg.after,
        },
      }),
    }),
    approveImeiClaim: build.mutation<ApproveImeiClaimApiResponse, ApproveImeiClaimApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/imei-claims/${encodeURIComponent(String(queryArg.id))}/approve`,
        method: 'POST',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    rejectImeiClaim: build.mutation<RejectImeiClaimApiResponse, RejectImeiClaimApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/imei-claims/${encodeURIComponent(String(queryArg.id))}/reject`,
        method: 'POST',
        body: queryArg.imeiDecisionInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as imeisApi };
export type ListHeardImeisApiResponse = /** status 200 The answer. */ HeardImeiList;
export type ListHeardImeisApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of the IMEI, with or without separators. */
  q?: string;
  /** Only what came through this gateway, by its name. */
  gateway?: string;
  /** Only what came through gateways of this tenant alone, as its own users see it. */
  tenantId?: string;
};
export type ListImeiAssignmentsApiResponse = /** status 200 The answer. */ ImeiAssignmentList;
export type ListImeiAssignmentsApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of the IMEI. */
  q?: string;
  /** Only of this tenant. */
  tenantId?: string;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type AssignImeisApiResponse = /** status 200 The answer. */ ImeiAssignmentLines;
export type AssignImeisApiArg = {
  imeiAssignmentInput: ImeiAssignmentInput;
};
export type UnassignImeiApiResponse = unknown;
export type UnassignImeiApiArg = {
  imei: string;
};
export type ListImeiClaimsApiResponse = /** status 200 The answer. */ ImeiClaimList;
export type ListImeiClaimsApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of the IMEI or of the device's name. */
  q?: string;
  /** Only these. */
  status?: ImeiClaimStatus;
  /** Only of this tenant. */
  tenantId?: string;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type ApproveImeiClaimApiResponse = /** status 200 As it is now. */ ImeiClaim;
export type ApproveImeiClaimApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export type RejectImeiClaimApiResponse = /** status 200 As it is now. */ ImeiClaim;
export type RejectImeiClaimApiArg = {
  /** From the path. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  imeiDecisionInput: ImeiDecisionInput;
};
export const {
  useListHeardImeisQuery,
  useListImeiAssignmentsQuery,
  useAssignImeisMutation,
  useUnassignImeiMutation,
  useListImeiClaimsQuery,
  useApproveImeiClaimMutation,
  useRejectImeiClaimMutation,
} = injectedRtkApi;
tagCalls({
  listHeardImeis: ['heard-imeis', 'list'],
  listImeiAssignments: ['imei-assignments', 'list'],
  assignImeis: ['imei-assignments', 'add'],
  unassignImei: ['imei-assignments', 'remove', 'imei'],
  listImeiClaims: ['imei-claims', 'list'],
  approveImeiClaim: ['imei-claims', 'change', 'id'],
  rejectImeiClaim: ['imei-claims', 'change', 'id'],
});
