// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type { File, StorageUsage } from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    uploadFile: build.mutation<UploadFileApiResponse, UploadFileApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/files`,
        method: 'POST',
        body: queryArg.body,
        params: {
          name: queryArg.name,
          tenant_id: queryArg.tenantId,
        },
      }),
    }),
    storageUsage: build.query<StorageUsageApiResponse, StorageUsageApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/files/usage`,
        params: {
          tenant_id: queryArg.tenantId,
        },
      }),
    }),
    fileContent: build.query<FileContentApiResponse, FileContentApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/files/${encodeURIComponent(String(queryArg.id))}/content`,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as filesApi };
export type UploadFileApiResponse = /** status 201 It is kept. */ File;
export type UploadFileApiArg = {
  /** The name of the file. What it ends in must be what the content is. */
  name: string;
  /** Whose it shall be; only a platform owner may name another tenant than their own. */
  tenantId?: string;
  body: Blob;
};
export type StorageUsageApiResponse = /** status 200 The answer. */ StorageUsage;
export type StorageUsageApiArg = {
  /** Whose; only a platform owner may name another tenant than their own, and names one. */
  tenantId?: string;
};
export type FileContentApiResponse = /** status 200 The file, streamed. */ Blob;
export type FileContentApiArg = {
  id: string;
};
export const { useUploadFileMutation, useStorageUsageQuery, useFileContentQuery } = injectedRtkApi;
tagCalls({ fileContent: ['files', 'read', 'id'] });
