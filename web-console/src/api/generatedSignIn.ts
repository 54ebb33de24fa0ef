import { emptyApi as api } from "./emptyApi";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    login: build.mutation<LoginApiResponse, LoginApiArg>({
      query: (queryArg) => ({
        url: `/auth/login`,
        method: "POST",
        body: queryArg.loginRequest,
      }),
    }),
    finishOidcWithCode: build.mutation<
      FinishOidcWithCodeApiResponse,
      FinishOidcWithCodeApiArg
    >({
      query: (queryArg) => ({
        url: `/auth/oidc/code`,
        method: "POST",
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
export type FinishOidcWithCodeApiResponse =
  /** status 200 Signed in. */ LoginResponse;
export type FinishOidcWithCodeApiArg = {
  oidcCodeRequest: OidcCodeRequest;
};
export type SignInOptionsApiResponse =
  /** status 200 The answer. */ SignInOptions;
export type SignInOptionsApiArg = void;
export type Locale = "unspecified" | "id" | "en" | "zh" | "jv";
export type SessionUser = {
  id: string;
  user_id: string;
  tenant_id?: string;
  /** The same as `tenant_id`, for clients that read this spelling. */
  tenantId?: string;
  name: string;
  email: string;
  /** Names; they grant nothing by themselves. */
  roles: string[];
  is_platform_owner: boolean;
  is_tenant_admin: boolean;
  is_subscription_user: boolean;
  /** Grows with every change of what the user may do. */
  policy_version: number;
  /** The tenant's, by IANA name: dates are shown in it. Absent for platform owners, who belong to no tenant. */
  time_zone?: string;
  /** What the user sees is made up: their tenant is the demonstration's. */
  is_demo: boolean;
  /** What the user may do, by the keys of the catalogue. */
  permissions: string[];
  /** Absent for platform owners. */
  tenant_name?: string;
  locale: Locale;
  /** The user must set up a second factor before anything else: the platform asks it of owners and admins. */
  must_set_up_totp: boolean;
  /** The password was set by somebody else, or made by the program: the user must change it before anything else. */
  must_change_password: boolean;
};
export type LoginResponse = {
  /** Access token, EdDSA, at most ten minutes. */
  token: string;
  user: SessionUser;
};
export type ApiError = {
  /** For programs, e.g. `not_found`. */
  error: string;
  /** For people, in the language of `Accept-Language`. */
  message: string;
  /** What is wrong with each field, by its name. */
  fields?: {
    [key: string]: string;
  };
  /** What has the value already that is wanted, if it is something of one's own. */
  conflicting?: {
    id: string;
    name: string;
  };
  /** The limit that was reached, if one was. */
  limit?: number;
};
export type LoginRequest = {
  email?: string;
  password?: string;
  /** Six digits of the authenticator, or a recovery code; needed when the answer without one is `totp_required`. */
  code?: string | null;
};
export type OidcCodeRequest = {
  /** Six digits of the authenticator, or a recovery code. */
  code?: string;
};
export type SignInOptions = {
  /** Companies may register themselves. */
  registration: boolean;
  /** Links by mail arrive; without, an admin hands them over. */
  mail: boolean;
  /** Name of the provider by which one may sign in as well, e.g. of the company's directory; absent when there is none. */
  oidc_name?: string;
  /** The page with the terms that whoever registers accepts; absent when none is configured. */
  terms_url?: string;
};
export const {
  useLoginMutation,
  useFinishOidcWithCodeMutation,
  useSignInOptionsQuery,
} = injectedRtkApi;
