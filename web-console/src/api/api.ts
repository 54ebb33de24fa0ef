import type { kinds } from './emptyApi';
import { generatedApi } from './generated';

type Kind = (typeof kinds)[number];

const list = (kind: Kind) => [{ type: kind, id: 'LIST' } as const];
const one = (kind: Kind, id: string) => [{ type: kind, id } as const];
const listed = (kind: Kind) => (answer?: { items?: { id?: string }[] }) => [
  ...list(kind),
  ...(answer?.items ?? []).map((item) => ({ type: kind, id: item.id ?? '' }) as const),
];
// A change that failed changed nothing; refetching then would pull a form from under its user.
const added = (kind: Kind) => (_answer: unknown, error: unknown) => (error ? [] : list(kind));
const changed = (kind: Kind) => (_answer: unknown, error: unknown, arg: { id: string }) =>
  error ? [] : [...list(kind), ...one(kind, arg.id)];
// What shows the names or the numbers of other things changes with them.
const andLists =
  <Arg>(tags: (answer: unknown, error: unknown, arg: Arg) => { type: Kind; id: string }[], ...others: Kind[]) =>
  (answer: unknown, error: unknown, arg: Arg) =>
    error ? [] : [...tags(answer, error, arg), ...others.flatMap(list)];

/** Generated calls without tags, each with the reason. */
export const untagged: Record<string, string> = {
  login: 'signing in empties the whole cache',
  refresh: 'another token, the same session',
  logout: 'signing out empties the whole cache',
  me: 'changes with the token alone',
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
  listAudit: 'grows with whatever anybody does; its page asks anew when it is opened',
  verifyAudit: 'asked for by hand',
};

/** The generated client with tags by id, so that a change refetches what shows it and nothing else. */
export const api = generatedApi.enhanceEndpoints({
  endpoints: {
    listDevices: { providesTags: listed('devices') },
    getDevice: { providesTags: (_answer, _error, { id }) => one('devices', id) },
    createDevice: { invalidatesTags: andLists(added('devices'), 'claims') },
    updateDevice: { invalidatesTags: andLists(changed('devices'), 'claims') },
    deleteDevice: { invalidatesTags: andLists(added('devices'), 'claims') },

    listImeiClaims: { providesTags: listed('claims') },
    // What waits changes whether it was decided here or, as a conflict says, elsewhere.
    approveImeiClaim: { invalidatesTags: [...list('claims'), ...list('devices')] },
    rejectImeiClaim: { invalidatesTags: [...list('claims'), ...list('devices')] },
    listImeiAssignments: { providesTags: list('assignments') },
    assignImeis: { invalidatesTags: andLists(added('assignments'), 'claims') },
    unassignImei: { invalidatesTags: andLists(added('assignments'), 'claims') },
    listGateways: { providesTags: list('gateways') },
    assignGateway: { invalidatesTags: added('gateways') },
    removeGateway: { invalidatesTags: added('gateways') },

    listUsers: { providesTags: listed('users') },
    userSummary: { providesTags: list('users') },
    getUser: { providesTags: (_answer, _error, { id }) => one('users', id) },
    createUser: { invalidatesTags: andLists(added('users'), 'tenants') },
    updateUser: { invalidatesTags: changed('users') },
    deleteUser: { invalidatesTags: andLists(added('users'), 'roles', 'tenants') },
    setUserRoles: { invalidatesTags: andLists(changed('users'), 'roles') },
    sendUserLink: { invalidatesTags: changed('users') },
    userDecisions: {
      providesTags: (_answer, _error, { id }) => [...one('users', id), ...list('roles'), ...list('permissions')],
    },

    listTenants: { providesTags: listed('tenants') },
    tenantSummary: { providesTags: list('tenants') },
    getTenant: { providesTags: (_answer, _error, { id }) => one('tenants', id) },
    createTenant: { invalidatesTags: added('tenants') },
    updateTenant: { invalidatesTags: changed('tenants') },
    // What belongs to it goes or comes with it.
    deleteTenant: { invalidatesTags: andLists(added('tenants'), 'users', 'roles', 'devices') },
    restoreTenant: { invalidatesTags: andLists(added('tenants'), 'users', 'roles', 'devices') },
    eraseTenant: { invalidatesTags: added('tenants') },

    listRoles: { providesTags: listed('roles') },
    getRole: { providesTags: (_answer, _error, { id }) => one('roles', id) },
    createRole: { invalidatesTags: added('roles') },
    updateRole: { invalidatesTags: andLists(changed('roles'), 'users') },
    deleteRole: { invalidatesTags: andLists(added('roles'), 'users') },
    getRolePermissions: { providesTags: (_answer, _error, { id }) => one('roles', id) },
    setRolePermissions: { invalidatesTags: changed('roles') },

    listPermissions: { providesTags: list('permissions') },
    createPermission: { invalidatesTags: added('permissions') },
    updatePermission: { invalidatesTags: added('permissions') },
    deletePermission: { invalidatesTags: andLists(added('permissions'), 'roles') },

    getAccount: { providesTags: list('account') },
    updateAccount: { invalidatesTags: added('account') },
    confirmTotp: { invalidatesTags: added('account') },
    removeTotp: { invalidatesTags: added('account') },
    renewRecoveryCodes: { invalidatesTags: added('account') },
    listSessions: { providesTags: list('sessions') },
    endSession: { invalidatesTags: added('sessions') },
    endOtherSessions: { invalidatesTags: added('sessions') },
    changePassword: { invalidatesTags: added('sessions') },
  },
});

export const {
  useListDevicesQuery,
  useGetDeviceQuery,
  useCreateDeviceMutation,
  useUpdateDeviceMutation,
  useDeleteDeviceMutation,
  useDeviceTrackQuery,
  useListImeiClaimsQuery,
  useApproveImeiClaimMutation,
  useRejectImeiClaimMutation,
  useListImeiAssignmentsQuery,
  useAssignImeisMutation,
  useUnassignImeiMutation,
  useListGatewaysQuery,
  useAssignGatewayMutation,
  useRemoveGatewayMutation,
  useListUsersQuery,
  useUserSummaryQuery,
  useGetUserQuery,
  useCreateUserMutation,
  useUpdateUserMutation,
  useDeleteUserMutation,
  useSetUserRolesMutation,
  useSendUserLinkMutation,
  useUserDecisionsQuery,
  useListTenantsQuery,
  useTenantSummaryQuery,
  useGetTenantQuery,
  useCreateTenantMutation,
  useUpdateTenantMutation,
  useDeleteTenantMutation,
  useRestoreTenantMutation,
  useEraseTenantMutation,
  useListRolesQuery,
  useRoleTemplatesQuery,
  useGetRoleQuery,
  useCreateRoleMutation,
  useUpdateRoleMutation,
  useDeleteRoleMutation,
  useGetRolePermissionsQuery,
  useSetRolePermissionsMutation,
  useListPermissionsQuery,
  useCreatePermissionMutation,
  useUpdatePermissionMutation,
  useDeletePermissionMutation,
  useListAuditQuery,
  useLazyVerifyAuditQuery,
  useGetAccountQuery,
  useUpdateAccountMutation,
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
