// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type { TenantThresholds, TenantThresholdsInput } from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getThresholds: build.query<GetThresholdsApiResponse, GetThresholdsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/thresholds`,
        params: {
          tenant_id: queryArg.tenantId,
        },
      }),
    }),
    updateThresholds: build.mutation<UpdateThresholdsApiResponse, UpdateThresholdsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/thresholds`,
        method: 'PUT',
        body: queryArg.tenantThresholdsInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as thresholdsApi };
export type GetThresholdsApiResponse = /** status 200 As it is now. */ TenantThresholds;
export type GetThresholdsApiArg = {
  /** Of the caller's own tenant when absent; a platform owner has none, and names one. */
  tenantId?: string;
};
export type UpdateThresholdsApiResponse = /** status 200 As it is now. */ TenantThresholds;
export type UpdateThresholdsApiArg = {
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  tenantThresholdsInput: TenantThresholdsInput;
};
export const { useGetThresholdsQuery, useUpdateThresholdsMutation } = injectedRtkApi;
tagCalls({ getThresholds: ['thresholds', 'list'], updateThresholds: ['thresholds', 'add'] });
