// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type {
  EmailRequest,
  LinkToken,
  LoginResponse,
  OpenLink,
  RegistrationInput,
  SessionUser,
  UseLinkRequest,
} from '../generated';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    me: build.query<MeApiResponse, MeApiArg>({
      query: () => ({ url: `/api/v1/auth/me` }),
    }),
    forgotPassword: build.mutation<ForgotPasswordApiResponse, ForgotPasswordApiArg>({
      query: (queryArg) => ({
        url: `/auth/forgot-password`,
        method: 'POST',
        body: queryArg.emailRequest,
      }),
    }),
    getLink: build.query<GetLinkApiResponse, GetLinkApiArg>({
      query: (queryArg) => ({
        url: `/auth/links`,
        method: 'POST',
        body: queryArg.linkToken,
      }),
    }),
    useLink: build.mutation<UseLinkApiResponse, UseLinkApiArg>({
      query: (queryArg) => ({
        url: `/auth/links/use`,
        method: 'POST',
        body: queryArg.useLinkRequest,
      }),
    }),
    logout: build.mutation<LogoutApiResponse, LogoutApiArg>({
      query: () => ({ url: `/auth/logout`, method: 'POST' }),
    }),
    refresh: build.mutation<RefreshApiResponse, RefreshApiArg>({
      query: () => ({ url: `/auth/refresh`, method: 'POST' }),
    }),
    register: build.mutation<RegisterApiResponse, RegisterApiArg>({
      query: (queryArg) => ({
        url: `/auth/register`,
        method: 'POST',
        body: queryArg.registrationInput,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as authApi };
export type MeApiResponse = /** status 200 The answer. */ SessionUser;
export type MeApiArg = void;
export type ForgotPasswordApiResponse = unknown;
export type ForgotPasswordApiArg = {
  emailRequest: EmailRequest;
};
export type GetLinkApiResponse = /** status 200 The answer. */ OpenLink;
export type GetLinkApiArg = {
  linkToken: LinkToken;
};
export type UseLinkApiResponse = unknown;
export type UseLinkApiArg = {
  useLinkRequest: UseLinkRequest;
};
export type LogoutApiResponse = unknown;
export type LogoutApiArg = void;
export type RefreshApiResponse = /** status 200 Signed in. */ LoginResponse;
export type RefreshApiArg = void;
export type RegisterApiResponse = unknown;
export type RegisterApiArg = {
  registrationInput: RegistrationInput;
};
export const {
  useMeQuery,
  useForgotPasswordMutation,
  useGetLinkQuery,
  useUseLinkMutation,
  useLogoutMutation,
  useRefreshMutation,
  useRegisterMutation,
} = injectedRtkApi;
