// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type {
  AccountSessionList,
  ChangePasswordRequest,
  ConfirmTotpRequest,
  Preference,
  PreferenceInput,
  Profile,
  ProfileInput,
  ReauthenticationRequest,
  RecoveryCodes,
  TotpSetup,
} from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getAccount: build.query<GetAccountApiResponse, GetAccountApiArg>({
      query: () => ({ url: `/api/v1/account` }),
    }),
    updateAccount: build.mutation<UpdateAccountApiResponse, UpdateAccountApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/account`,
        method: 'PUT',
        body: queryArg.profileInput,
      }),
    }),
    changePassword: build.mutation<ChangePasswordApiResponse, ChangePasswordApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/account/password`,
        method: 'POST',
        body: queryArg.changePasswordRequest,
      }),
    }),
    getPreference: build.query<GetPreferenceApiResponse, GetPreferenceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/account/preferences/${encodeURIComponent(String(queryArg.key))}`,
      }),
    }),
    setPreference: build.mutation<SetPreferenceApiResponse, SetPreferenceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/account/preferences/${encodeURIComponent(String(queryArg.key))}`,
        method: 'PUT',
        body: queryArg.preferenceInput,
      }),
    }),
    reauthenticate: build.mutation<ReauthenticateApiResponse, ReauthenticateApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/account/reauthentication`,
        method: 'POST',
        body: queryArg.reauthenticationRequest,
      }),
    }),
    renewRecoveryCodes: build.mutation<RenewRecoveryCodesApiResponse, RenewRecoveryCodesApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/account/recovery-codes`,
        method: 'POST',
        body: queryArg.reauthenticationRequest,
      }),
    }),
    listSessions: build.query<ListSessionsApiResponse, ListSessionsApiArg>({
      query: () => ({ url: `/api/v1/account/sessions` }),
    }),
    endOtherSessions: build.mutation<EndOtherSessionsApiResponse, EndOtherSessionsApiArg>({
      query: () => ({ url: `/api/v1/account/sessions`, method: 'DELETE' }),
    }),
    endSession: build.mutation<EndSessionApiResponse, EndSessionApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/account/sessions/${encodeURIComponent(String(queryArg.id))}`,
        method: 'DELETE',
      }),
    }),
    setUpTotp: build.mutation<SetUpTotpApiResponse, SetUpTotpApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/account/totp`,
        method: 'POST',
        body: queryArg.reauthenticationRequest,
      }),
    }),
    confirmTotp: build.mutation<ConfirmTotpApiResponse, ConfirmTotpApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/account/totp/confirmation`,
        method: 'POST',
        body: queryArg.confirmTotpRequest,
      }),
    }),
    removeTotp: build.mutation<RemoveTotpApiResponse, RemoveTotpApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/account/totp/removal`,
        method: 'POST',
        body: queryArg.reauthenticationRequest,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as accountApi };
export type GetAccountApiResponse = /** status 200 The answer. */ Profile;
export type GetAccountApiArg = void;
export type UpdateAccountApiResponse = /** status 200 The answer. */ Profile;
export type UpdateAccountApiArg = {
  profileInput: ProfileInput;
};
export type ChangePasswordApiResponse = unknown;
export type ChangePasswordApiArg = {
  changePasswordRequest: ChangePasswordRequest;
};
export type GetPreferenceApiResponse = /** status 200 The answer. */ Preference;
export type GetPreferenceApiArg = {
  /** What it is of, e.g. `dashboard`. */
  key: string;
};
export type SetPreferenceApiResponse = /** status 200 The answer. */ Preference;
export type SetPreferenceApiArg = {
  /** Set by the edge from the path. */
  key: string;
  preferenceInput: PreferenceInput;
};
export type ReauthenticateApiResponse = unknown;
export type ReauthenticateApiArg = {
  reauthenticationRequest: ReauthenticationRequest;
};
export type RenewRecoveryCodesApiResponse = /** status 200 The answer. */ RecoveryCodes;
export type RenewRecoveryCodesApiArg = {
  reauthenticationRequest: ReauthenticationRequest;
};
export type ListSessionsApiResponse = /** status 200 The answer. */ AccountSessionList;
export type ListSessionsApiArg = void;
export type EndOtherSessionsApiResponse = unknown;
export type EndOtherSessionsApiArg = void;
export type EndSessionApiResponse = unknown;
export type EndSessionApiArg = {
  id: string;
};
export type SetUpTotpApiResponse = /** status 200 The answer. */ TotpSetup;
export type SetUpTotpApiArg = {
  reauthenticationRequest: ReauthenticationRequest;
};
export type ConfirmTotpApiResponse = /** status 200 The answer. */ RecoveryCodes;
export type ConfirmTotpApiArg = {
  confirmTotpRequest: ConfirmTotpRequest;
};
export type RemoveTotpApiResponse = unknown;
export type RemoveTotpApiArg = {
  reauthenticationRequest: ReauthenticationRequest;
};
export const {
  useGetAccountQuery,
  useUpdateAccountMutation,
  useChangePasswordMutation,
  useGetPreferenceQuery,
  useSetPreferenceMutation,
  useReauthenticateMutation,
  useRenewRecoveryCodesMutation,
  useListSessionsQuery,
  useEndOtherSessionsMutation,
  useEndSessionMutation,
  useSetUpTotpMutation,
  useConfirmTotpMutation,
  useRemoveTotpMutation,
} = injectedRtkApi;
tagCalls({
  getAccount: ['account', 'list'],
  updateAccount: ['account', 'add'],
  changePassword: ['account', 'add'],
  getPreference: ['account', 'read', 'key'],
  setPreference: ['account', 'change', 'key'],
  renewRecoveryCodes: ['account', 'add'],
  listSessions: ['account', 'list'],
  endOtherSessions: ['account', 'add'],
  endSession: ['account', 'remove', 'id'],
  confirmTotp: ['account', 'add'],
  removeTotp: ['account', 'add'],
});
