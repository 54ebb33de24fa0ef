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
    refresh: build.mutation<RefreshApiResponse, RefreshApiArg>({
      query: () => ({ url: `/auth/refresh`, method: "POST" }),
    }),
    logout: build.mutation<LogoutApiResponse, LogoutApiArg>({
      query: () => ({ url: `/auth/logout`, method: "POST" }),
    }),
    wsTicket: build.mutation<WsTicketApiResponse, WsTicketApiArg>({
      query: () => ({ url: `/api/v1/ws-ticket`, method: "POST" }),
    }),
    me: build.query<MeApiResponse, MeApiArg>({
      query: () => ({ url: `/api/v1/auth/me` }),
    }),
    listTenants: build.query<ListTenantsApiResponse, ListTenantsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/tenants`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          ids: queryArg.ids,
        },
      }),
    }),
    createTenant: build.mutation<CreateTenantApiResponse, CreateTenantApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/tenants`,
        method: "POST",
        body: queryArg.tenantInput,
      }),
    }),
    getTenant: build.query<GetTenantApiResponse, GetTenantApiArg>({
      query: (queryArg) => ({ url: `/api/v1/tenants/${queryArg.id}` }),
    }),
    updateTenant: build.mutation<UpdateTenantApiResponse, UpdateTenantApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/tenants/${queryArg.id}`,
        method: "PUT",
        body: queryArg.tenantInput,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    listUsers: build.query<ListUsersApiResponse, ListUsersApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/users`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          ids: queryArg.ids,
        },
      }),
    }),
    createUser: build.mutation<CreateUserApiResponse, CreateUserApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/users`,
        method: "POST",
        body: queryArg.userInput,
      }),
    }),
    getUser: build.query<GetUserApiResponse, GetUserApiArg>({
      query: (queryArg) => ({ url: `/api/v1/users/${queryArg.id}` }),
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
          icon_type: queryArg.iconType,
          userIds: queryArg.userIds,
          tenant_id: queryArg.tenantId,
        },
      }),
    }),
    createDevice: build.mutation<CreateDeviceApiResponse, CreateDeviceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices`,
        method: "POST",
        body: queryArg.deviceInput,
      }),
    }),
    getDevice: build.query<GetDeviceApiResponse, GetDeviceApiArg>({
      query: (queryArg) => ({ url: `/api/v1/devices/${queryArg.id}` }),
    }),
    updateDevice: build.mutation<UpdateDeviceApiResponse, UpdateDeviceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${queryArg.id}`,
        method: "PUT",
        body: queryArg.deviceInput,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    deleteDevice: build.mutation<DeleteDeviceApiResponse, DeleteDeviceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${queryArg.id}`,
        method: "DELETE",
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    deviceTrack: build.query<DeviceTrackApiResponse, DeviceTrackApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${queryArg.id}/track`,
        params: {
          from: queryArg["from"],
          to: queryArg.to,
        },
      }),
    }),
    lastPositions: build.query<LastPositionsApiResponse, LastPositionsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/last-positions`,
        params: {
          userId: queryArg.userId,
          tenant_id: queryArg.tenantId,
        },
      }),
    }),
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
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedApi };
export type LoginApiResponse = /** status 200 Signed in. */ LoginResponse;
export type LoginApiArg = {
  loginRequest: LoginRequest;
};
export type RefreshApiResponse =
  /** status 200 Still signed in. */ LoginResponse;
export type RefreshApiArg = void;
export type LogoutApiResponse = unknown;
export type LogoutApiArg = void;
export type WsTicketApiResponse = /** status 200 The ticket. */ WsTicket;
export type WsTicketApiArg = void;
export type MeApiResponse = /** status 200 The caller. */ SessionUser;
export type MeApiArg = void;
export type ListTenantsApiResponse = /** status 200 A page. */ TenantList;
export type ListTenantsApiArg = {
  /** From 1. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Text to search for. */
  q?: string;
  /** Only these, at most 500. */
  ids?: string[];
};
export type CreateTenantApiResponse = /** status 201 The new tenant. */ Tenant;
export type CreateTenantApiArg = {
  tenantInput: TenantInput;
};
export type GetTenantApiResponse = /** status 200 The tenant. */ Tenant;
export type GetTenantApiArg = {
  id: string;
};
export type UpdateTenantApiResponse = /** status 200 The tenant now. */ Tenant;
export type UpdateTenantApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  "If-Match"?: string;
  tenantInput: TenantInput;
};
export type ListUsersApiResponse = /** status 200 A page. */ UserList;
export type ListUsersApiArg = {
  /** From 1. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Text to search for. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only these, at most 500. */
  ids?: string[];
};
export type CreateUserApiResponse = /** status 201 The new user. */ User;
export type CreateUserApiArg = {
  userInput: UserInput;
};
export type GetUserApiResponse = /** status 200 The user. */ User;
export type GetUserApiArg = {
  id: string;
};
export type UpdateUserApiResponse = /** status 200 The user now. */ User;
export type UpdateUserApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  "If-Match"?: string;
  userInput: UserInput;
};
export type ListDevicesApiResponse = /** status 200 A page. */ DeviceList;
export type ListDevicesApiArg = {
  /** From 1. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Text to search for. */
  q?: string;
  /** Only these. */
  status?: DeviceStatus;
  /** Only these. */
  iconType?: DeviceIconType[];
  /** Only what these users own or are linked to. */
  userIds?: string[];
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
};
export type CreateDeviceApiResponse = /** status 201 The new device. */ Device;
export type CreateDeviceApiArg = {
  deviceInput: DeviceInput;
};
export type GetDeviceApiResponse = /** status 200 The device. */ Device;
export type GetDeviceApiArg = {
  id: string;
};
export type UpdateDeviceApiResponse = /** status 200 The device now. */ Device;
export type UpdateDeviceApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  "If-Match"?: string;
  deviceInput: DeviceInput;
};
export type DeleteDeviceApiResponse = unknown;
export type DeleteDeviceApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  "If-Match"?: string;
};
export type DeviceTrackApiResponse =
  /** status 200 The track, streamed. */ Track;
export type DeviceTrackApiArg = {
  id: string;
  /** RFC 3339. */
  from?: string;
  /** RFC 3339. */
  to?: string;
};
export type LastPositionsApiResponse =
  /** status 200 One position a device. */ LastPositionList;
export type LastPositionsApiArg = {
  /** Only what this user sees as well. */
  userId?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
};
export type PositionRejectionsApiResponse =
  /** status 200 A page. */ RejectionList;
export type PositionRejectionsApiArg = {
  /** Only these, e.g. `unknown_device`. */
  reason?: string;
  /** 1 to 500; 25 when absent. */
  pageSize?: number;
  /** `next_cursor` of the page before. */
  before?: number;
};
export type SessionUser = {
  id: string;
  user_id: string;
  tenant_id?: string;
  /** The same as `tenant_id`, for clients that read this spelling. */
  tenantId?: string;
  name: string;
  email: string;
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
};
export type LoginRequest = {
  email?: string;
  password?: string;
};
export type WsTicket = {
  ticket: string;
};
export type Tenant = {
  id: string;
  name: string;
  description: string;
  /** IANA name, e.g. `Asia/Jakarta`: days of reports and counters of today begin at its midnight. */
  time_zone: string;
  /** The people of an inactive tenant cannot sign in; its positions are taken in all the same. */
  active: boolean;
  row_version: number;
  created_at: string;
  updated_at: string;
  /** Its vehicles are made up and driven by a program. */
  is_demo: boolean;
};
export type TenantList = {
  items: Tenant[];
  total: number;
};
export type TenantInput = {
  name?: string | null;
  description?: string | null;
  time_zone?: string | null;
  active?: boolean | null;
};
export type User = {
  id: string;
  /** Absent for platform owners, who belong to no tenant. */
  tenant_id?: string;
  name: string;
  email: string;
  phone: string;
  is_platform_owner: boolean;
  is_tenant_admin: boolean;
  is_active: boolean;
  last_login?: string;
  row_version: number;
  created_at: string;
  updated_at: string;
};
export type UserList = {
  items: User[];
  total: number;
};
export type UserInput = {
  /** The tenant of a new user; only a platform owner may name another than their own. */
  tenant_id?: string | null;
  name?: string | null;
  email?: string | null;
  phone?: string | null;
  /** Required for a new user; absent or empty keeps the present one. 8 to 128 characters. */
  password?: string | null;
  is_tenant_admin?: boolean | null;
  is_active?: boolean | null;
};
export type DeviceStatus = "unspecified" | "active" | "inactive";
export type DeviceIconType =
  | "unspecified"
  | "car"
  | "van"
  | "pickup"
  | "truck"
  | "bus"
  | "motorcycle"
  | "heavy_equipment";
export type Device = {
  id: string;
  tenant_id: string;
  /** The owner; also a device member with the role `owner`. */
  user_id?: string;
  /** 15 digits, unique on the platform. */
  imei: string;
  name: string;
  sim_number: string;
  /** Seconds parked after which an alert is due; 0 for never. */
  max_parking_time: number;
  status: DeviceStatus;
  row_version: number;
  created_at: string;
  updated_at: string;
  /** What was accepted although it looks wrong, as codes, e.g. `imei_check_digit`. Only in answers to create and update. */
  warnings: string[];
  icon_type: DeviceIconType;
  /** The number plate, or the fleet's own code of the vehicle. */
  vehicle_code: string;
  /** Make, model or kind, in the fleet's own words. */
  vehicle_type: string;
  /** The name of who usually drives. */
  primary_driver: string;
};
export type DeviceList = {
  items: Device[];
  total: number;
};
export type DeviceInput = {
  /** The tenant of a new device; only a platform owner may name another than their own. */
  tenant_id?: string | null;
  /** The owner; empty for none. */
  user_id?: string | null;
  imei?: string | null;
  name?: string | null;
  sim_number?: string | null;
  max_parking_time?: number | null;
  status?: DeviceStatus | null;
  icon_type?: DeviceIconType | null;
  /** At most 32 characters. */
  vehicle_code?: string | null;
  /** At most 64 characters. */
  vehicle_type?: string | null;
  /** At most 100 characters. */
  primary_driver?: string | null;
};
export type Motion = "unspecified" | "moving" | "idle" | "parked";
export type TrackPoint = {
  recorded_at: string;
  lat: number;
  lng: number;
  speed?: number;
  course?: number;
  alt?: number;
  sat?: number;
  valid: boolean;
  ignition?: boolean;
  odometer?: number;
  fuel_liter?: number;
  fuel_percent?: number;
  batt_percent?: number;
  charge?: boolean;
  gsm_signal?: number;
  alarm?: string;
  attrs?: object;
  motion: Motion;
  motion_since?: string;
  engine_seconds?: number;
};
export type Track = {
  items: TrackPoint[];
};
export type LastPosition = {
  device_id: string;
  recorded_at: string;
  /** Degrees. */
  lat: number;
  lng: number;
  /** km/h. */
  speed?: number;
  /** Degrees clockwise from north. */
  course?: number;
  /** Metres. */
  alt?: number;
  sat?: number;
  valid: boolean;
  ignition?: boolean;
  /** Metres since the first fix, or the vehicle's own where it reports one. */
  odometer?: number;
  fuel_liter?: number;
  fuel_percent?: number;
  batt_percent?: number;
  charge?: boolean;
  gsm_signal?: number;
  alarm?: string;
  /** A JSON object as text here, and that object in JSON. */
  attrs?: object;
  motion: Motion;
  /** Since when the motion holds. */
  motion_since?: string;
  /** Seconds with the engine on since the first fix. */
  engine_seconds?: number;
};
export type LastPositionList = {
  items: LastPosition[];
  total: number;
};
export type Rejection = {
  /** YYYY-MM-DD, UTC. */
  day: string;
  reason: string;
  count: number;
};
export type RejectedMessage = {
  /** Its place in the dead-letter stream. */
  seq: number;
  received_at: string;
  reason: string;
  gateway: string;
  /** As the gateway wrote it. */
  imei: string;
  /** Positions refused in it. */
  count: number;
  /** Bytes of the original message. */
  size: number;
};
export type RejectionList = {
  counts: Rejection[];
  /** Newest first. */
  items: RejectedMessage[];
  /** Messages in the dead-letter stream that match. */
  total: number;
  /** `before` of the next page; absent on the last. */
  next_cursor?: number;
};
export const {
  useLoginMutation,
  useRefreshMutation,
  useLogoutMutation,
  useWsTicketMutation,
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
} = injectedRtkApi;
