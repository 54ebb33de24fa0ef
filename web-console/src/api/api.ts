import { generatedApi } from './generated';

/** Kinds of things that are shown in several places: a list has the tag `LIST` and those of what is on it. */
const kinds = ['devices', 'users', 'tenants'] as const;
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
};

/** The generated client with tags by id, so that a change refetches what shows it and nothing else. */
export const api = generatedApi.enhanceEndpoints({
  addTagTypes: kinds,
  endpoints: {
    listDevices: { providesTags: listed('devices') },
    getDevice: { providesTags: (_answer, _error, { id }) => one('devices', id) },
    createDevice: { invalidatesTags: added('devices') },
    updateDevice: { invalidatesTags: changed('devices') },
    deleteDevice: { invalidatesTags: added('devices') },

    listUsers: { providesTags: listed('users') },
    getUser: { providesTags: (_answer, _error, { id }) => one('users', id) },
    createUser: { invalidatesTags: added('users') },
    updateUser: { invalidatesTags: changed('users') },

    listTenants: { providesTags: listed('tenants') },
    getTenant: { providesTags: (_answer, _error, { id }) => one('tenants', id) },
    createTenant: { invalidatesTags: added('tenants') },
    updateTenant: { invalidatesTags: changed('tenants') },
  },
});

export const {
  useLoginMutation,
  useLogoutMutation,
  useListDevicesQuery,
  useGetDeviceQuery,
  useCreateDeviceMutation,
  useUpdateDeviceMutation,
  useDeleteDeviceMutation,
  useDeviceTrackQuery,
  useListUsersQuery,
  useGetUserQuery,
  useCreateUserMutation,
  useUpdateUserMutation,
  useListTenantsQuery,
  useGetTenantQuery,
  useCreateTenantMutation,
  useUpdateTenantMutation,
  usePositionRejectionsQuery,
} = api;
