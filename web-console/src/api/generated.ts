import { emptyApi as api } from "./emptyApi";
export const addTagTypes = [
  "auth",
  "tenants",
  "users",
  "devices",
  "positions",
] as const;
const injectedRtkApi = api
  .enhanceEndpoints({
    addTagTypes,
  })
  .injectEndpoints({
    endpoints: (build) => ({
      login: build.mutation<LoginApiResponse, LoginApiArg>({
        query: (queryArg) => ({
          url: `/auth/login`,
          method: "POST",
          body: queryArg.loginRequest,
        }),
        invalidatesTags: ["auth"],
      }),
      refresh: build.mutation<RefreshApiResponse, RefreshApiArg>({
        query: () => ({ url: `/auth/refresh`, method: "POST" }),
        invalidatesTags: ["auth"],
      }),
      logout: build.mutation<LogoutApiResponse, LogoutApiArg>({
        query: () => ({ url: `/auth/logout`, method: "POST" }),
        invalidatesTags: ["auth"],
      }),
      me: build.query<MeApiResponse, MeApiArg>({
        query: () => ({ url: `/api/v1/auth/me` }),
        providesTags: ["auth"],
      }),
      listTenants: build.query<ListTenantsApiResponse, ListTenantsApiArg>({
        query: (queryArg) => ({
          url: `/api/v1/tenants`,
          params: {
            page: queryArg.page,
            page_size: queryArg.pageSize,
            sort: queryArg.sort,
            q: queryArg.q,
          },
        }),
        providesTags: ["tenants"],
      }),
      createTenant: build.mutation<CreateTenantApiResponse, CreateTenantApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/v1/tenants`,
            method: "POST",
            body: queryArg.tenantInput,
          }),
          invalidatesTags: ["tenants"],
        },
      ),
      getTenant: build.query<GetTenantApiResponse, GetTenantApiArg>({
        query: (queryArg) => ({ url: `/api/v1/tenants/${queryArg.id}` }),
        providesTags: ["tenants"],
      }),
      updateTenant: build.mutation<UpdateTenantApiResponse, UpdateTenantApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/v1/tenants/${queryArg.id}`,
            method: "PUT",
            body: queryArg.tenantInput,
            headers: {
              "If-Match": queryArg["If-Match"],
            },
          }),
          invalidatesTags: ["tenants"],
        },
      ),
      listUsers: build.query<ListUsersApiResponse, ListUsersApiArg>({
        query: (queryArg) => ({
          url: `/api/v1/users`,
          params: {
            page: queryArg.page,
            page_size: queryArg.pageSize,
            sort: queryArg.sort,
            q: queryArg.q,
            tenant_id: queryArg.tenantId,
          },
        }),
        providesTags: ["users"],
      }),
      createUser: build.mutation<CreateUserApiResponse, CreateUserApiArg>({
        query: (queryArg) => ({
          url: `/api/v1/users`,
          method: "POST",
          body: queryArg.userInput,
        }),
        invalidatesTags: ["users"],
      }),
      getUser: build.query<GetUserApiResponse, GetUserApiArg>({
        query: (queryArg) => ({ url: `/api/v1/users/${queryArg.id}` }),
        providesTags: ["users"],
      }),
      updateUser: build.mutation<UpdateUserApiResponse, UpdateUserApiArg>({
        query: (queryArg) => ({
          url: `/api/v1/users/${queryArg.id}`,
          method: "PUT",
          body: queryArg.userInput,
          headers: {
            "If-Match": queryArg["If-Match"],
          },
        }),
        invalidatesTags: ["users"],
      }),
      listDevices: build.query<ListDevicesApiResponse, ListDevicesApiArg>({
        query: (queryArg) => ({
          url: `/api/v1/devices`,
          params: {
            page: queryArg.page,
            page_size: queryArg.pageSize,
            sort: queryArg.sort,
            q: queryArg.q,
            status: queryArg.status,
            userIds: queryArg.userIds,
            tenant_id: queryArg.tenantId,
          },
        }),
        providesTags: ["devices"],
      }),
      createDevice: build.mutation<CreateDeviceApiResponse, CreateDeviceApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/v1/devices`,
            method: "POST",
            body: queryArg.deviceInput,
          }),
          invalidatesTags: ["devices"],
        },
      ),
      getDevice: build.query<GetDeviceApiResponse, GetDeviceApiArg>({
        query: (queryArg) => ({ url: `/api/v1/devices/${queryArg.id}` }),
        providesTags: ["devices"],
      }),
      updateDevice: build.mutation<UpdateDeviceApiResponse, UpdateDeviceApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/v1/devices/${queryArg.id}`,
            method: "PUT",
            body: queryArg.deviceInput,
            headers: {
              "If-Match": queryArg["If-Match"],
            },
          }),
          invalidatesTags: ["devices"],
        },
      ),
      deleteDevice: build.mutation<DeleteDeviceApiResponse, DeleteDeviceApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/v1/devices/${queryArg.id}`,
            method: "DELETE",
            headers: {
              "If-Match": queryArg["If-Match"],
            },
          }),
          invalidatesTags: ["devices"],
        },
      ),
      deviceTrack: build.query<DeviceTrackApiResponse, DeviceTrackApiArg>({
        query: (queryArg) => ({
          url: `/api/v1/devices/${queryArg.id}/track`,
          params: {
            from: queryArg["from"],
            to: queryArg.to,
          },
        }),
        providesTags: ["positions"],
      }),
      lastPositions: build.query<LastPositionsApiResponse, LastPositionsApiArg>(
        {
          query: (queryArg) => ({
            url: `/api/v1/last-positions`,
            params: {
              userId: queryArg.userId,
              tenant_id: queryArg.tenantId,
            },
          }),
          providesTags: ["positions"],
        },
      ),
      positionRejections: build.query<
        PositionRejectionsApiResponse,
        PositionRejectionsApiArg
      >({
        query: (queryArg) => ({
          url: `/api/v1/position-rejections`,
          params: {
            reason: queryArg.reason,
            page_size: queryArg.pageSize,
            before: queryArg.before,
          },
        }),
        providesTags: ["positions"],
      }),
      wsTicket: build.mutation<WsTicketApiResponse, WsTicketApiArg>({
        query: () => ({ url: `/api/v1/ws-ticket`, method: "POST" }),
        invalidatesTags: ["positions"],
      }),
    }),
    overrideExisting: false,
  });
export { injectedRtkApi as generatedApi };
export type LoginApiResponse = /** status 200  */ LoginResponse;
export type LoginApiArg = {
  loginRequest: LoginRequest;
};
export type RefreshApiResponse = /** status 200  */ LoginResponse;
export type RefreshApiArg = void;
export type LogoutApiResponse = unknown;
export type LogoutApiArg = void;
export type MeApiResponse = /** status 200  */ SessionUser;
export type MeApiArg = void;
export type ListTenantsApiResponse = /** status 200  */ TenantList;
export type ListTenantsApiArg = {
  page?: number;
  pageSize?: number;
  sort?: string;
  q?: string;
};
export type CreateTenantApiResponse = /** status 201  */ Tenant;
export type CreateTenantApiArg = {
  tenantInput: TenantInput;
};
export type GetTenantApiResponse = /** status 200  */ Tenant;
export type GetTenantApiArg = {
  id: string;
};
export type UpdateTenantApiResponse = /** status 200  */ Tenant;
export type UpdateTenantApiArg = {
  id: string;
  /** The row version that the change is based on. */
  "If-Match"?: string;
  tenantInput: TenantInput;
};
export type ListUsersApiResponse = /** status 200  */ UserList;
export type ListUsersApiArg = {
  page?: number;
  pageSize?: number;
  sort?: string;
  q?: string;
  tenantId?: string;
};
export type CreateUserApiResponse = /** status 201  */ User;
export type CreateUserApiArg = {
  userInput: UserInput;
};
export type GetUserApiResponse = /** status 200  */ User;
export type GetUserApiArg = {
  id: string;
};
export type UpdateUserApiResponse = /** status 200  */ User;
export type UpdateUserApiArg = {
  id: string;
  /** The row version that the change is based on. */
  "If-Match"?: string;
  userInput: UserInput;
};
export type ListDevicesApiResponse = /** status 200  */ DeviceList;
export type ListDevicesApiArg = {
  page?: number;
  pageSize?: number;
  sort?: string;
  q?: string;
  status?: DeviceStatus;
  userIds?: string[];
  tenantId?: string;
};
export type CreateDeviceApiResponse = /** status 201  */ Device;
export type CreateDeviceApiArg = {
  deviceInput: DeviceInput;
};
export type GetDeviceApiResponse = /** status 200  */ Device;
export type GetDeviceApiArg = {
  id: string;
};
export type UpdateDeviceApiResponse = /** status 200  */ Device;
export type UpdateDeviceApiArg = {
  id: string;
  /** The row version that the change is based on. */
  "If-Match"?: string;
  deviceInput: DeviceInput;
};
export type DeleteDeviceApiResponse = unknown;
export type DeleteDeviceApiArg = {
  id: string;
  /** The row version that the change is based on. */
  "If-Match"?: string;
};
export type DeviceTrackApiResponse = /** status 200  */ Track;
export type DeviceTrackApiArg = {
  id: string;
  from: string;
  to: string;
};
export type LastPositionsApiResponse = /** status 200  */ LastPositionList;
export type LastPositionsApiArg = {
  userId?: string;
  tenantId?: string;
};
export type PositionRejectionsApiResponse = /** status 200  */ RejectionList;
export type PositionRejectionsApiArg = {
  reason?: string;
  pageSize?: number;
  before?: number;
};
export type WsTicketApiResponse = /** status 200  */ WsTicket;
export type WsTicketApiArg = void;
export type SessionUser = {
  id?: string;
  user_id?: string;
  tenant_id?: string | null;
  tenantId?: string | null;
  name?: string;
  email?: string;
  roles?: string[];
  is_platform_owner?: boolean;
  is_tenant_admin?: boolean;
  is_subscription_user?: boolean;
  policy_version?: number;
};
export type LoginResponse = {
  token?: string;
  user?: null | SessionUser;
};
export type ApiError = {
  error: string;
  message: string;
  fields?: {
    [key: string]: string;
  };
};
export type LoginRequest = {
  email?: string;
  password?: string;
};
export type Tenant = {
  id?: string;
  name?: string;
  description?: string;
  time_zone?: string;
  active?: boolean;
  row_version?: number;
  created_at?: string | null;
  updated_at?: string | null;
};
export type TenantList = {
  items?: Tenant[];
  total?: number;
};
export type TenantInput = {
  id?: string;
  name?: string | null;
  description?: string | null;
  time_zone?: string | null;
  active?: boolean | null;
  row_version?: number | null;
};
export type User = {
  id?: string;
  tenant_id?: string | null;
  name?: string;
  email?: string;
  phone?: string;
  is_platform_owner?: boolean;
  is_tenant_admin?: boolean;
  is_active?: boolean;
  last_login?: string | null;
  row_version?: number;
  created_at?: string | null;
  updated_at?: string | null;
};
export type UserList = {
  items?: User[];
  total?: number;
};
export type UserInput = {
  id?: string;
  tenant_id?: string | null;
  name?: string | null;
  email?: string | null;
  phone?: string | null;
  password?: string | null;
  is_tenant_admin?: boolean | null;
  is_active?: boolean | null;
  row_version?: number | null;
};
export type DeviceStatus = "unspecified" | "active" | "inactive";
export type Device = {
  id?: string;
  tenant_id?: string;
  user_id?: string | null;
  imei?: string;
  name?: string;
  sim_number?: string;
  max_parking_time?: number;
  status?: DeviceStatus;
  row_version?: number;
  created_at?: string | null;
  updated_at?: string | null;
  warnings?: string[];
};
export type DeviceList = {
  items?: Device[];
  total?: number;
};
export type DeviceInput = {
  id?: string;
  tenant_id?: string | null;
  user_id?: string | null;
  imei?: string | null;
  name?: string | null;
  sim_number?: string | null;
  max_parking_time?: number | null;
  status?: null | DeviceStatus;
  row_version?: number | null;
};
export type TrackPoint = {
  recorded_at?: string | null;
  lat?: number;
  lng?: number;
  speed?: number | null;
  course?: number | null;
  alt?: number | null;
  sat?: number | null;
  valid?: boolean;
  ignition?: boolean | null;
  odometer?: number | null;
  fuel_liter?: number | null;
  fuel_percent?: number | null;
  batt_percent?: number | null;
  charge?: boolean | null;
  gsm_signal?: number | null;
  alarm?: string | null;
  attrs?: string | null;
};
export type Track = {
  items?: TrackPoint[];
};
export type Motion = "unspecified" | "moving" | "idle" | "parked";
export type LastPosition = {
  device_id?: string;
  recorded_at?: string | null;
  lat?: number;
  lng?: number;
  speed?: number | null;
  course?: number | null;
  alt?: number | null;
  sat?: number | null;
  valid?: boolean;
  ignition?: boolean | null;
  odometer?: number | null;
  fuel_liter?: number | null;
  fuel_percent?: number | null;
  batt_percent?: number | null;
  charge?: boolean | null;
  gsm_signal?: number | null;
  alarm?: string | null;
  attrs?: string | null;
  motion?: Motion;
  motion_since?: string | null;
  engine_seconds?: number | null;
};
export type LastPositionList = {
  items?: LastPosition[];
  total?: number;
};
export type Rejection = {
  day?: string;
  reason?: string;
  count?: number;
};
export type RejectedMessage = {
  seq?: number;
  received_at?: string | null;
  reason?: string;
  gateway?: string;
  imei?: string;
  count?: number;
  size?: number;
};
export type RejectionList = {
  counts?: Rejection[];
  items?: RejectedMessage[];
  total?: number;
  next_cursor?: number | null;
};
export type WsTicket = {
  ticket?: string;
};
export const {
  useLoginMutation,
  useRefreshMutation,
  useLogoutMutation,
  useMeQuery,
  useListTenantsQuery,
  useCreateTenantMutation,
  useGetTenantQuery,
  useUpdateTenantMutation,
  useListUsersQuery,
  useCreateUserMutation,
  useGetUserQuery,
  useUpdateUserMutation,
  useListDevicesQuery,
  useCreateDeviceMutation,
  useGetDeviceQuery,
  useUpdateDeviceMutation,
  useDeleteDeviceMutation,
  useDeviceTrackQuery,
  useLastPositionsQuery,
  usePositionRejectionsQuery,
  useWsTicketMutation,
} = injectedRtkApi;
