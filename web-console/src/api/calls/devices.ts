// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type {
  BulkDevicesRequest,
  Device,
  DeviceGroupList,
  DeviceIconType,
  DeviceInput,
  DeviceList,
  DeviceMeters,
  DeviceStatus,
  EraseDeviceInput,
  FleetDay,
  ImeiStatus,
  Job,
  MeterCorrection,
  MeterCorrectionInput,
  MeterCorrectionList,
  ReplaceTrackerRequest,
  TrackerReplacement,
  TrackerReplacementList,
  VehicleState,
} from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listDevices: build.query<ListDevicesApiResponse, ListDevicesApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          userIds: queryArg.userIds,
          tenant_id: queryArg.tenantId,
          status: queryArg.status,
          icon_type: queryArg.iconType,
          imei_status: queryArg.imeiStatus,
          live_state: queryArg.liveState,
          gps_brand_id: queryArg.gpsBrandId,
          gps_model_id: queryArg.gpsModelId,
          vehicle_brand_id: queryArg.vehicleBrandId,
          vehicle_model_id: queryArg.vehicleModelId,
          vehicle_status_id: queryArg.vehicleStatusId,
          group_id: queryArg.groupId,
          warehouse_id: queryArg.warehouseId,
          deleted: queryArg.deleted,
          name: queryArg.name,
          after: queryArg.after,
        },
      }),
    }),
    createDevice: build.mutation<CreateDeviceApiResponse, CreateDeviceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    bulkDevices: build.mutation<BulkDevicesApiResponse, BulkDevicesApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/bulk`,
        method: 'POST',
        body: queryArg.bulkDevicesRequest,
      }),
    }),
    listDeviceGroups: build.query<ListDeviceGroupsApiResponse, ListDeviceGroupsApiArg>({
      query: () => ({ url: `/api/v1/devices/groups` }),
    }),
    getDevice: build.query<GetDeviceApiResponse, GetDeviceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateDevice: build.mutation<UpdateDeviceApiResponse, UpdateDeviceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.deviceInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    deleteDevice: build.mutation<DeleteDeviceApiResponse, DeleteDeviceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    eraseDevice: build.mutation<EraseDeviceApiResponse, EraseDeviceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}/erasure`,
        method: 'POST',
        body: queryArg.eraseDeviceInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    listMeterCorrections: build.query<ListMeterCorrectionsApiResponse, ListMeterCorrectionsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}/meter-corrections`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          after: queryArg.after,
        },
      }),
    }),
    correctMeters: build.mutation<CorrectMetersApiResponse, CorrectMetersApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}/meter-corrections`,
        method: 'POST',
        body: queryArg.meterCorrectionInput,
      }),
    }),
    undoMeterCorrection: build.mutation<UndoMeterCorrectionApiResponse, UndoMeterCorrectionApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}/meter-corrections/${encodeURIComponent(String(queryArg.correctionId))}`,
        method: 'DELETE',
      }),
    }),
    deviceMeters: build.query<DeviceMetersApiResponse, DeviceMetersApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}/meters`,
        params: {
          days: queryArg.days,
        },
      }),
    }),
    restoreDevice: build.mutation<RestoreDeviceApiResponse, RestoreDeviceApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}/restore`,
        method: 'POST',
      }),
    }),
    listTrackerReplacements: build.query<ListTrackerReplacementsApiResponse, ListTrackerReplacementsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}/tracker-replacements`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          after: queryArg.after,
        },
      }),
    }),
    replaceTracker: build.mutation<ReplaceTrackerApiResponse, ReplaceTrackerApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}/tracker-replacements`,
        method: 'POST',
        body: queryArg.replaceTrackerRequest,
      }),
    }),
    withdrawTrackerReplacement: build.mutation<WithdrawTrackerReplacementApiResponse, WithdrawTrackerReplacementApiArg>(
      {
        query: (queryArg) => ({
          url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}/tracker-replacements/${encodeURIComponent(String(queryArg.replacementId))}`,
          method: 'DELETE',
        }),
      },
    ),
    fleetDay: build.query<FleetDayApiResponse, FleetDayApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/meters/day`,
        params: {
          day: queryArg.day,
          tenant_id: queryArg.tenantId,
          userIds: queryArg.userIds,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as devicesApi };
export type ListDevicesApiResponse = /** status 200 The answer. */ DeviceList;
export type ListDevicesApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of name, vehicle code, IMEI, SIM number or primary driver. */
  q?: string;
  /** Only what one of these users sees: admins all of their tenant, others what they own or are linked to. Narrows, never
    widens. */
  userIds?: string[];
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only these. */
  status?: DeviceStatus;
  /** Only these, when there are any. */
  iconType?: DeviceIconType[];
  /** Only those whose IMEI is so far. */
  imeiStatus?: ImeiStatus;
  /** Only those that are in one of these states now, when there are any; needs the permission `position:live`. */
  liveState?: VehicleState[];
  /** Only those with one of these entries of the master data, when there are any of a kind. */
  gpsBrandId?: string[];
  gpsModelId?: string[];
  vehicleBrandId?: string[];
  vehicleModelId?: string[];
  vehicleStatusId?: string[];
  /** Only those in these groups, or in groups that lie in them, when there are any. */
  groupId?: string[];
  /** Only those of these warehouses, when there are any. */
  warehouseId?: string[];
  /** `true` for those that are deleted and not erased yet, instead of the others: for whoever may delete devices, what they
    could bring back. */
  deleted?: boolean;
  /** Only those that are exactly so called, whatever the case: by name, code, IMEI or SIM number. */
  name?: string[];
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type CreateDeviceApiResponse = /** status 201 It is made. */ Device;
export type CreateDeviceApiArg = {
  body: DeviceInput & object;
};
export type BulkDevicesApiResponse = /** status 202 It is started. */ Job;
export type BulkDevicesApiArg = {
  bulkDevicesRequest: BulkDevicesRequest;
};
export type ListDeviceGroupsApiResponse = /** status 200 The answer. */ DeviceGroupList;
export type ListDeviceGroupsApiArg = void;
export type GetDeviceApiResponse = /** status 200 As it is now. */ Device;
export type GetDeviceApiArg = {
  id: string;
};
export type UpdateDeviceApiResponse = /** status 200 As it is now. */ Device;
export type UpdateDeviceApiArg = {
  /** Set by the edge from the path on update. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  deviceInput: DeviceInput;
};
export type DeleteDeviceApiResponse = unknown;
export type DeleteDeviceApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export type EraseDeviceApiResponse = unknown;
export type EraseDeviceApiArg = {
  /** Set by the edge from the path. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  eraseDeviceInput: EraseDeviceInput;
};
export type ListMeterCorrectionsApiResponse = /** status 200 The answer. */ MeterCorrectionList;
export type ListMeterCorrectionsApiArg = {
  /** The device. */
  id: string;
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type CorrectMetersApiResponse = /** status 200 The answer. */ MeterCorrection;
export type CorrectMetersApiArg = {
  /** The device, from the path. */
  id: string;
  meterCorrectionInput: MeterCorrectionInput;
};
export type UndoMeterCorrectionApiResponse = unknown;
export type UndoMeterCorrectionApiArg = {
  /** The device. */
  id: string;
  correctionId: string;
};
export type DeviceMetersApiResponse = /** status 200 The answer. */ DeviceMeters;
export type DeviceMetersApiArg = {
  /** The device. */
  id: string;
  /** How many days, 30 when absent. */
  days?: number;
};
export type RestoreDeviceApiResponse = /** status 200 As it is now. */ Device;
export type RestoreDeviceApiArg = {
  id: string;
};
export type ListTrackerReplacementsApiResponse = /** status 200 The answer. */ TrackerReplacementList;
export type ListTrackerReplacementsApiArg = {
  /** The device. */
  id: string;
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type ReplaceTrackerApiResponse = /** status 200 The answer. */ TrackerReplacement;
export type ReplaceTrackerApiArg = {
  /** The device, from the path. */
  id: string;
  replaceTrackerRequest: ReplaceTrackerRequest;
};
export type WithdrawTrackerReplacementApiResponse = unknown;
export type WithdrawTrackerReplacementApiArg = {
  /** The device. */
  id: string;
  replacementId: string;
};
export type FleetDayApiResponse = /** status 200 The answer. */ FleetDay;
export type FleetDayApiArg = {
  /** In the tenant's time zone. */
  day: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only devices that one of these users sees, as in the list of devices. */
  userIds?: string[];
};
export const {
  useListDevicesQuery,
  useCreateDeviceMutation,
  useBulkDevicesMutation,
  useListDeviceGroupsQuery,
  useGetDeviceQuery,
  useUpdateDeviceMutation,
  useDeleteDeviceMutation,
  useEraseDeviceMutation,
  useListMeterCorrectionsQuery,
  useCorrectMetersMutation,
  useUndoMeterCorrectionMutation,
  useDeviceMetersQuery,
  useRestoreDeviceMutation,
  useListTrackerReplacementsQuery,
  useReplaceTrackerMutation,
  useWithdrawTrackerReplacementMutation,
  useFleetDayQuery,
} = injectedRtkApi;
tagCalls({
  listDevices: ['devices', 'list'],
  createDevice: ['devices', 'add'],
  bulkDevices: ['devices', 'add'],
  listDeviceGroups: ['devices', 'list'],
  getDevice: ['devices', 'read', 'id'],
  updateDevice: ['devices', 'change', 'id'],
  deleteDevice: ['devices', 'remove', 'id'],
  eraseDevice: ['devices', 'change', 'id'],
  listMeterCorrections: ['devices', 'read', 'id'],
  correctMeters: ['devices', 'change', 'id'],
  undoMeterCorrection: ['devices', 'remove', 'correction_id'],
  deviceMeters: ['devices', 'read', 'id'],
  restoreDevice: ['devices', 'change', 'id'],
  listTrackerReplacements: ['devices', 'read', 'id'],
  replaceTracker: ['devices', 'change', 'id'],
  withdrawTrackerReplacement: ['devices', 'remove', 'replacement_id'],
  fleetDay: ['meters', 'list'],
});
