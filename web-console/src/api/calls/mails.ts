// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type { MailStatus } from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    mailStatus: build.query<MailStatusApiResponse, MailStatusApiArg>({
      query: () => ({ url: `/api/v1/mail-status` }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as mailsApi };
export type MailStatusApiResponse = /** status 200 The answer. */ MailStatus;
export type MailStatusApiArg = void;
export const { useMailStatusQuery } = injectedRtkApi;
tagCalls({ mailStatus: ['mail-status', 'list'] });
