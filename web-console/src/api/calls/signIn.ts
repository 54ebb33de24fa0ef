// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type { LoginRequest, LoginResponse, OidcCodeRequest, SignInOptions } from '../generated';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    login: build.mutation<LoginApiResponse, LoginApiArg>({
      query: (queryArg) => ({
        url: `/auth/login`,
        method: 'POST',
        body: queryArg.loginRequest,
      }),
    }),
    finishOidcWithCode: build.mutation<FinishOidcWithCodeApiResponse, FinishOidcWithCodeApiArg>({
      query: (queryArg) => ({
        url: `/auth/oidc/code`,
        method: 'POST',
        body: queryArg.oidcCodeRequest,
      }),
    }),
    signInOptions: build.query<SignInOptionsApiResponse, SignInOptionsApiArg>({
      query: () => ({ url: `/auth/options` }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as signInApi };
export type LoginApiResponse = /** status 200 Signed in. */ LoginResponse;
export type LoginApiArg = {
  loginRequest: LoginRequest;
};
export type FinishOidcWithCodeApiResponse = /** status 200 Signed in. */ LoginResponse;
export type FinishOidcWithCodeApiArg = {
  oidcCodeRequest: OidcCodeRequest;
};
export type SignInOptionsApiResponse = /** status 200 The answer. */ SignInOptions;
export type SignInOptionsApiArg = void;
export const { useLoginMutation, useFinishOidcWithCodeMutation, useSignInOptionsQuery } = injectedRtkApi;
