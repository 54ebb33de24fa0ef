import { REGISTRY, type ResourceEntry } from '@/resource/registry';
import { isApiError } from './errors';
import { generatedApi } from './generated';
import { EFFECTS } from './generatedCalls';
import { KINDS, type Kind } from './generatedKinds';

/** Generated calls without tags, each with the reason. */
export const untagged: Record<string, string> = {
  login: 'signing in empties the whole cache',
  me: 'changes with the token alone',
  refresh: 'another token, the same session',
  logout: 'signing out empties the whole cache',
  wsTicket: 'changes nothing that is cached',
  deviceTrack: 'positions come by the live socket, not by what is changed here',
  lastPositions: 'positions come by the live socket, not by what is changed here',
  positionRejections: 'nothing here changes them',
  signInOptions: 'part of how the server is configured',
  register: 'changes nothing that is cached',
  forgotPassword: 'changes nothing that is cached',
  getLink: 'asked once, by a page that asks nothing else',
  useLink: 'changes nothing that is cached',
  setUpTotp: 'changes nothing until it is confirmed',
  reauthenticate: 'changes nothing that is cached',
  finishOidcWithCode: 'signing in empties the whole cache',
  roleTemplates: 'part of the program',
  uploadFile: 'belongs to nothing until something names it',
  storageUsage: 'asked for before each upload',
  listAudit: 'grows with whatever anybody does; its page asks anew when it is opened',
  verifyAudit: 'asked for by hand',
};

type Effect = readonly [kind: Kind, does: 'list' | 'read' | 'add' | 'change' | 'remove', id?: string];
type Tag = Kind | { type: Kind; id: string };
type Tags = (answer: unknown, error: unknown, arg: unknown) => Tag[];

const listOf = (kind: Kind) => ({ type: kind, id: 'LIST' });
const idIn = (thing: unknown, name: string) => String((thing as Record<string, unknown> | undefined)?.[name] ?? '');

/** Kinds whose rows show names or numbers of things of this kind, as the registry says. */
const showing = (kind: Kind): Kind[] =>
  (Object.entries(REGISTRY) as [Kind, ResourceEntry][]).flatMap(([other, { shows }]) =>
    shows?.includes(kind) ? [other] : [],
  );

/** A change that failed changed nothing, unless somebody else was faster: then what is shown is old. */
const isOvertaken = (error: unknown) => isApiError(error) && [404, 409, 412].includes(error.status);

/** What a call shows, or makes old. */
function tagsOf([kind, does, id = 'id']: Effect): { providesTags?: Tags; invalidatesTags?: Tags } {
  const one = (thing: unknown) => ({ type: kind, id: idIn(thing, id) });
  if (does === 'read') return { providesTags: (_answer, _error, arg) => [one(arg)] };
  if (does === 'list') {
    const items = (answer: unknown) => (answer as { items?: unknown[] } | undefined)?.items ?? [];
    return { providesTags: (answer) => [listOf(kind), ...items(answer).map(one)] };
  }
  return {
    invalidatesTags: (_answer, error, arg) => {
      if (error && !isOvertaken(error)) return [];
      // What is gone is not asked for again.
      return [listOf(kind), ...(does === 'change' ? [one(arg)] : []), ...showing(kind)];
    },
  };
}

const tagged = Object.entries(EFFECTS as Record<string, Effect>).filter(
  ([name]) => name in generatedApi.endpoints && !(name in untagged),
);

/** The generated client with tags by id, so that a change refetches what shows it and nothing else. */
export const api = generatedApi
  .enhanceEndpoints({ addTagTypes: KINDS })
  .enhanceEndpoints({ endpoints: Object.fromEntries(tagged.map(([name, effect]) => [name, tagsOf(effect)])) });

const ACCESS = [listOf('device-members'), listOf('devices'), listOf('users'), 'roles', 'permissions'] as const;

// What comes of things of several kinds.
api.enhanceEndpoints({
  endpoints: {
    // Who is in which group stands in devices, what groups are called and lie in, in the master data.
    listDeviceGroups: { providesTags: [listOf('devices'), listOf('master-data')] },
    // It is made of the address of its device, which stays as it is.
    sendCommand: { invalidatesTags: [listOf('commands')] },
    listDriverAssignments: { providesTags: [listOf('devices'), listOf('drivers')] },
    // They are named in the request, not in its address.
    acknowledgeAlarms: {
      invalidatesTags: (_answer, error) => (error && !isOvertaken(error) ? [] : ['alarms']),
    },
    // Who sees what follows from links, and from who may sign in and do what.
    listDeviceAccess: { providesTags: (_answer, _error, { id }) => [{ type: 'devices', id }, ...ACCESS] },
    // The newest correction of a device is undone; the device stays.
    undoMeterCorrection: {
      invalidatesTags: (_answer, error, { id }) => (error && !isOvertaken(error) ? [] : [{ type: 'devices', id }]),
    },
    // What vehicles do now, and their trips and stops of the past, follow from them.
    updateThresholds: {
      invalidatesTags: (_answer, error) => (error && !isOvertaken(error) ? [] : [listOf('thresholds'), 'devices']),
    },
    // The browser knows it for longer than a screen is open, and maybe by now better than an answer of before.
    getPreference: { keepUnusedDataFor: 0 },
    getUserAccess: { providesTags: (_answer, _error, { id }) => [{ type: 'users', id }, ...ACCESS] },
    userDecisions: { providesTags: (_answer, _error, { id }) => [{ type: 'users', id }, 'roles', 'permissions'] },
  },
});

export const {
  useListAlarmsQuery,
  useAcknowledgeAlarmsMutation,
  useDeviceMessagesQuery,
  useListDeviceGroupsQuery,
  useDeviceTrackQuery,
  useListDocumentsQuery,
  useDocumentSummaryQuery,
  useListShareLinksQuery,
  useRenewShareLinkAddressMutation,
  useRevokeShareLinkMutation,
  useStorageUsageQuery,
  useListDriverAssignmentsQuery,
  useListCommandsQuery,
  useListCommandKindsQuery,
  useListSavedCommandsQuery,
  useConsentCommandMutation,
  useCancelCommandMutation,
  useResolveCommandMutation,
  useListMaintenanceQuery,
  useMaintenanceSummaryQuery,
  useMaintenanceWordsQuery,
  useListMaintenanceLogsQuery,
  useMaintenanceCostsQuery,
  useApproveImeiClaimMutation,
  useRejectImeiClaimMutation,
  useAssignImeisMutation,
  useLazyGetMasterDataUsageQuery,
  useReplaceMasterDataEntryMutation,
  useListDeviceMembersQuery,
  useLinkDevicesMutation,
  useListDeviceAccessQuery,
  useDeviceMetersQuery,
  useFleetDayQuery,
  useListMeterCorrectionsQuery,
  useCorrectMetersMutation,
  useUndoMeterCorrectionMutation,
  useGetUserAccessQuery,
  useListEventsQuery,
  useEventSummaryQuery,
  useListGatewayConnectionsQuery,
  useListGatewayMessagesQuery,
  useRotateGatewaySecretMutation,
  useRetireGatewaySecretMutation,
  useGetUserQuery,
  useSendUserLinkMutation,
  useUserDecisionsQuery,
  useRestoreDeviceMutation,
  useEraseDeviceMutation,
  useRestoreTenantMutation,
  useGetThresholdsQuery,
  useLazyGetThresholdsQuery,
  useUpdateThresholdsMutation,
  useEraseTenantMutation,
  useListRolesQuery,
  useRoleTemplatesQuery,
  useGetRoleQuery,
  useGetRolePermissionsQuery,
  useSetRolePermissionsMutation,
  useListPermissionsQuery,
  useListSavedViewsQuery,
  useCreateSavedViewMutation,
  useUpdateSavedViewMutation,
  useDeleteSavedViewMutation,
  useLazyVerifyAuditQuery,
  useGetAccountQuery,
  useUpdateAccountMutation,
  useGetPreferenceQuery,
  useSetPreferenceMutation,
  useChangePasswordMutation,
  useListSessionsQuery,
  useEndSessionMutation,
  useEndOtherSessionsMutation,
  useReauthenticateMutation,
  useSetUpTotpMutation,
  useConfirmTotpMutation,
  useRemoveTotpMutation,
  useRenewRecoveryCodesMutation,
  useRegisterMutation,
  useForgotPasswordMutation,
  useGetLinkQuery,
  useUseLinkMutation,
  usePositionRejectionsQuery,
} = api;
