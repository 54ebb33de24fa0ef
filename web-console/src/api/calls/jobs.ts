// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type { Job, JobItemList, JobItemStatus, JobList, JobStatus } from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listJobs: build.query<ListJobsApiResponse, ListJobsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/jobs`,
        params: {
          service: queryArg.service,
          page: queryArg.page,
          page_size: queryArg.pageSize,
          status: queryArg.status,
          tenant_id: queryArg.tenantId,
          after: queryArg.after,
        },
      }),
    }),
    getJob: build.query<GetJobApiResponse, GetJobApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/jobs/${encodeURIComponent(String(queryArg.service))}/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    cancelJob: build.mutation<CancelJobApiResponse, CancelJobApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/jobs/${encodeURIComponent(String(queryArg.service))}/${encodeURIComponent(String(queryArg.id))}/cancel`,
        method: 'POST',
      }),
    }),
    getImportReport: build.query<GetImportReportApiResponse, GetImportReportApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/jobs/${encodeURIComponent(String(queryArg.service))}/${encodeURIComponent(String(queryArg.id))}/import-report`,
      }),
    }),
    listJobItems: build.query<ListJobItemsApiResponse, ListJobItemsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/jobs/${encodeURIComponent(String(queryArg.service))}/${encodeURIComponent(String(queryArg.id))}/items`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          status: queryArg.status,
          after: queryArg.after,
        },
      }),
    }),
    undoJob: build.mutation<UndoJobApiResponse, UndoJobApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/jobs/${encodeURIComponent(String(queryArg.service))}/${encodeURIComponent(String(queryArg.id))}/undo`,
        method: 'POST',
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as jobsApi };
export type ListJobsApiResponse = /** status 200 The answer. */ JobList;
export type ListJobsApiArg = {
  /** Whose jobs: the name of a service, e.g. `fleet`. */
  service: string;
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** Only these. */
  status?: JobStatus[];
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type GetJobApiResponse = /** status 200 The answer. */ Job;
export type GetJobApiArg = {
  /** The service that runs it, as `service` of the job. */
  service: string;
  id: string;
};
export type CancelJobApiResponse = /** status 200 The answer. */ Job;
export type CancelJobApiArg = {
  /** The service that runs it, as `service` of the job. */
  service: string;
  id: string;
};
export type GetImportReportApiResponse = unknown;
export type GetImportReportApiArg = {
  /** The service that runs it, as `service` of the job. */
  service: string;
  id: string;
};
export type ListJobItemsApiResponse = /** status 200 The answer. */ JobItemList;
export type ListJobItemsApiArg = {
  /** The service that runs the job. */
  service: string;
  /** The job. */
  id: string;
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** Only these. */
  status?: JobItemStatus[];
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type UndoJobApiResponse = /** status 202 The job that takes it back. */ Job;
export type UndoJobApiArg = {
  /** The service that runs it, as `service` of the job. */
  service: string;
  id: string;
};
export const {
  useListJobsQuery,
  useGetJobQuery,
  useCancelJobMutation,
  useGetImportReportQuery,
  useListJobItemsQuery,
  useUndoJobMutation,
} = injectedRtkApi;
tagCalls({
  listJobs: ['jobs', 'list'],
  getJob: ['jobs', 'read', 'id'],
  cancelJob: ['jobs', 'change', 'id'],
  getImportReport: ['jobs', 'read', 'id'],
  listJobItems: ['jobs', 'read', 'id'],
  undoJob: ['jobs', 'change', 'id'],
});
