// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type {
  Command,
  CommandInput,
  CommandKind,
  CommandKindList,
  CommandList,
  CommandState,
  ConsentCommandRequest,
  ResolveCommandRequest,
  SavedCommand,
  SavedCommandInput,
  SavedCommandList,
  SendCommandsRequest,
  SentCommandList,
} from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listCommands: build.query<ListCommandsApiResponse, ListCommandsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/commands`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          device_id: queryArg.deviceId,
          user_id: queryArg.userId,
          kind: queryArg.kind,
          state: queryArg.state,
          from: queryArg['from'],
          to: queryArg.to,
          after: queryArg.after,
        },
      }),
    }),
    sendCommands: build.mutation<SendCommandsApiResponse, SendCommandsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/commands`,
        method: 'POST',
        body: queryArg.sendCommandsRequest,
      }),
    }),
    getCommand: build.query<GetCommandApiResponse, GetCommandApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/commands/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    cancelCommand: build.mutation<CancelCommandApiResponse, CancelCommandApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/commands/${encodeURIComponent(String(queryArg.id))}/cancel`,
        method: 'POST',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    consentCommand: build.mutation<ConsentCommandApiResponse, ConsentCommandApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/commands/${encodeURIComponent(String(queryArg.id))}/consent`,
        method: 'POST',
        body: queryArg.consentCommandRequest,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    resolveCommand: build.mutation<ResolveCommandApiResponse, ResolveCommandApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/commands/${encodeURIComponent(String(queryArg.id))}/resolve`,
        method: 'POST',
        body: queryArg.resolveCommandRequest,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    sendCommand: build.mutation<SendCommandApiResponse, SendCommandApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.deviceId))}/commands`,
        method: 'POST',
        body: queryArg.commandInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    listCommandKinds: build.query<ListCommandKindsApiResponse, ListCommandKindsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}/command-kinds`,
      }),
    }),
    listSavedCommands: build.query<ListSavedCommandsApiResponse, ListSavedCommandsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/saved-commands`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          kind: queryArg.kind,
          after: queryArg.after,
        },
      }),
    }),
    createSavedCommand: build.mutation<CreateSavedCommandApiResponse, CreateSavedCommandApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/saved-commands`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    getSavedCommand: build.query<GetSavedCommandApiResponse, GetSavedCommandApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/saved-commands/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateSavedCommand: build.mutation<UpdateSavedCommandApiResponse, UpdateSavedCommandApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/saved-commands/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.savedCommandInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    deleteSavedCommand: build.mutation<DeleteSavedCommandApiResponse, DeleteSavedCommandApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/saved-commands/${encodeURIComponent(String(queryArg.id))}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as commandsApi };
export type ListCommandsApiResponse = /** status 200 The answer. */ CommandList;
export type ListCommandsApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of the device's name or IMEI, of the reason or of the text. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only to these devices, when there are any. */
  deviceId?: string[];
  /** Only by these users, when there are any. */
  userId?: string[];
  /** Only these, when there are any. */
  kind?: CommandKind[];
  /** Only these, when there are any. */
  state?: CommandState[];
  /** Only those made from then on. */
  from?: string;
  /** Only those made before. */
  to?: string;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type SendCommandsApiResponse = /** status 200 The answer. */ SentCommandList;
export type SendCommandsApiArg = {
  sendCommandsRequest: SendCommandsRequest;
};
export type GetCommandApiResponse = /** status 200 As it is now. */ Command;
export type GetCommandApiArg = {
  id: string;
};
export type CancelCommandApiResponse = /** status 200 As it is now. */ Command;
export type CancelCommandApiArg = {
  /** From the path. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export type ConsentCommandApiResponse = /** status 200 As it is now. */ Command;
export type ConsentCommandApiArg = {
  /** From the path. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  consentCommandRequest: ConsentCommandRequest;
};
export type ResolveCommandApiResponse = /** status 200 As it is now. */ Command;
export type ResolveCommandApiArg = {
  /** From the path. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  resolveCommandRequest: ResolveCommandRequest;
};
export type SendCommandApiResponse = /** status 200 As it is now. */ Command;
export type SendCommandApiArg = {
  /** A device that the caller sees, as owner, technician or admin; from the path. */
  deviceId: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  commandInput: CommandInput;
};
export type ListCommandKindsApiResponse = /** status 200 The answer. */ CommandKindList;
export type ListCommandKindsApiArg = {
  /** The device; from the path. */
  id: string;
};
export type ListSavedCommandsApiResponse = /** status 200 The answer. */ SavedCommandList;
export type ListSavedCommandsApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of the name, the description or the text. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only these, when there are any. */
  kind?: CommandKind[];
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type CreateSavedCommandApiResponse = /** status 201 It is made. */ SavedCommand;
export type CreateSavedCommandApiArg = {
  body: SavedCommandInput & object;
};
export type GetSavedCommandApiResponse = /** status 200 As it is now. */ SavedCommand;
export type GetSavedCommandApiArg = {
  id: string;
};
export type UpdateSavedCommandApiResponse = /** status 200 As it is now. */ SavedCommand;
export type UpdateSavedCommandApiArg = {
  /** Set by the edge from the path on update. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  savedCommandInput: SavedCommandInput;
};
export type DeleteSavedCommandApiResponse = unknown;
export type DeleteSavedCommandApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export const {
  useListCommandsQuery,
  useSendCommandsMutation,
  useGetCommandQuery,
  useCancelCommandMutation,
  useConsentCommandMutation,
  useResolveCommandMutation,
  useSendCommandMutation,
  useListCommandKindsQuery,
  useListSavedCommandsQuery,
  useCreateSavedCommandMutation,
  useGetSavedCommandQuery,
  useUpdateSavedCommandMutation,
  useDeleteSavedCommandMutation,
} = injectedRtkApi;
tagCalls({
  listCommands: ['commands', 'list'],
  sendCommands: ['commands', 'add'],
  getCommand: ['commands', 'read', 'id'],
  cancelCommand: ['commands', 'change', 'id'],
  consentCommand: ['commands', 'change', 'id'],
  resolveCommand: ['commands', 'change', 'id'],
  sendCommand: ['devices', 'change', 'device_id'],
  listCommandKinds: ['devices', 'read', 'id'],
  listSavedCommands: ['saved-commands', 'list'],
  createSavedCommand: ['saved-commands', 'add'],
  getSavedCommand: ['saved-commands', 'read', 'id'],
  updateSavedCommand: ['saved-commands', 'change', 'id'],
  deleteSavedCommand: ['saved-commands', 'remove', 'id'],
});
