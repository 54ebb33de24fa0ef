// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type { AuditList, AuditVerification, SafeInteger } from '../generated';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listAudit: build.query<ListAuditApiResponse, ListAuditApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/audit`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          actor_id: queryArg.actorId,
          act: queryArg.act,
          object_kind: queryArg.objectKind,
          object_id: queryArg.objectId,
          from: queryArg['from'],
          to: queryArg.to,
          after: queryArg.after,
        },
      }),
    }),
    verifyAudit: build.query<VerifyAuditApiResponse, VerifyAuditApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/audit/verification`,
        params: {
          tenant_id: queryArg.tenantId,
          after_seq: queryArg.afterSeq,
          after_hash: queryArg.afterHash,
          limit: queryArg.limit,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as auditApi };
export type ListAuditApiResponse = /** status 200 The answer. */ AuditList;
export type ListAuditApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of the actor's or the object's name, the address, or the act. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only what these users did, at most 500. */
  actorId?: string[];
  /** Only these acts; with a star for all of a module, e.g. `device:*`. */
  act?: string[];
  /** Only what was done to things of this kind, e.g. `device`. */
  objectKind?: string;
  /** Only what was done to this thing. */
  objectId?: string;
  /** From here on. */
  from?: string;
  /** Until before this. */
  to?: string;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type VerifyAuditApiResponse = /** status 200 The answer. */ AuditVerification;
export type VerifyAuditApiArg = {
  /** The chain of this tenant, for platform owners; without, they verify that of the platform. */
  tenantId?: string;
  /** Go on behind this entry: `checked` of the answer before. */
  afterSeq?: SafeInteger;
  /** The hash of that entry: `next_hash` of the answer before. */
  afterHash?: string;
  /** Entries to read at most, up to 10,000. */
  limit?: number;
};
export const { useListAuditQuery, useVerifyAuditQuery } = injectedRtkApi;
