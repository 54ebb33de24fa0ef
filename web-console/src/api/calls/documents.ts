// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type {
  BulkDocumentsRequest,
  Document,
  DocumentInput,
  DocumentKind,
  DocumentList,
  DocumentState,
  DocumentSubject,
  DocumentSummary,
  Job,
} from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listDocuments: build.query<ListDocumentsApiResponse, ListDocumentsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/documents`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          kind: queryArg.kind,
          state: queryArg.state,
          subject: queryArg.subject,
          device_id: queryArg.deviceId,
          driver_id: queryArg.driverId,
          after: queryArg.after,
        },
      }),
    }),
    createDocument: build.mutation<CreateDocumentApiResponse, CreateDocumentApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/documents`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    bulkDocuments: build.mutation<BulkDocumentsApiResponse, BulkDocumentsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/documents/bulk`,
        method: 'POST',
        body: queryArg.bulkDocumentsRequest,
      }),
    }),
    documentSummary: build.query<DocumentSummaryApiResponse, DocumentSummaryApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/documents/summary`,
        params: {
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          kind: queryArg.kind,
          state: queryArg.state,
          subject: queryArg.subject,
          device_id: queryArg.deviceId,
          driver_id: queryArg.driverId,
        },
      }),
    }),
    getDocument: build.query<GetDocumentApiResponse, GetDocumentApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/documents/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateDocument: build.mutation<UpdateDocumentApiResponse, UpdateDocumentApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/documents/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.documentInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    deleteDocument: build.mutation<DeleteDocumentApiResponse, DeleteDocumentApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/documents/${encodeURIComponent(String(queryArg.id))}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as documentsApi };
export type ListDocumentsApiResponse = /** status 200 The answer. */ DocumentList;
export type ListDocumentsApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of name, number, or name or code of the vehicle or driver. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only these, when there are any. */
  kind?: DocumentKind[];
  /** Only these, when there are any. */
  state?: DocumentState[];
  /** Only those of vehicles, or of drivers. */
  subject?: DocumentSubject;
  /** Only of this vehicle. */
  deviceId?: string;
  /** Only of this driver. */
  driverId?: string;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type CreateDocumentApiResponse = /** status 201 It is made. */ Document;
export type CreateDocumentApiArg = {
  body: DocumentInput & object;
};
export type BulkDocumentsApiResponse = /** status 202 It is started. */ Job;
export type BulkDocumentsApiArg = {
  bulkDocumentsRequest: BulkDocumentsRequest;
};
export type DocumentSummaryApiResponse = /** status 200 The answer. */ DocumentSummary;
export type DocumentSummaryApiArg = {
  /** Matches a part of name, number, or name or code of the vehicle or driver. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only these, when there are any. */
  kind?: DocumentKind[];
  /** Only these, when there are any. */
  state?: DocumentState[];
  /** Only those of vehicles, or of drivers. */
  subject?: DocumentSubject;
  /** Only of this vehicle. */
  deviceId?: string;
  /** Only of this driver. */
  driverId?: string;
};
export type GetDocumentApiResponse = /** status 200 As it is now. */ Document;
export type GetDocumentApiArg = {
  id: string;
};
export type UpdateDocumentApiResponse = /** status 200 As it is now. */ Document;
export type UpdateDocumentApiArg = {
  /** Set by the edge from the path on update. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  documentInput: DocumentInput;
};
export type DeleteDocumentApiResponse = unknown;
export type DeleteDocumentApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export const {
  useListDocumentsQuery,
  useCreateDocumentMutation,
  useBulkDocumentsMutation,
  useDocumentSummaryQuery,
  useGetDocumentQuery,
  useUpdateDocumentMutation,
  useDeleteDocumentMutation,
} = injectedRtkApi;
tagCalls({
  listDocuments: ['documents', 'list'],
  createDocument: ['documents', 'add'],
  bulkDocuments: ['documents', 'add'],
  documentSummary: ['documents', 'list'],
  getDocument: ['documents', 'read', 'id'],
  updateDocument: ['documents', 'change', 'id'],
  deleteDocument: ['documents', 'remove', 'id'],
});
