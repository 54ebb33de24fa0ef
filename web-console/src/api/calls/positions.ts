// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type {
  DeviceMessageList,
  FixMark,
  LastPositionList,
  MessageOutcome,
  RejectionList,
  Track,
  TrackFormat,
  TrackSegmentList,
} from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    deviceMessages: build.query<DeviceMessagesApiResponse, DeviceMessagesApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}/messages`,
        params: {
          outcome: queryArg.outcome,
          from: queryArg['from'],
          to: queryArg.to,
          page_size: queryArg.pageSize,
          cursor: queryArg.cursor,
          mark: queryArg.mark,
        },
      }),
    }),
    deviceTrack: build.query<DeviceTrackApiResponse, DeviceTrackApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}/track`,
        params: {
          from: queryArg['from'],
          to: queryArg.to,
          format: queryArg.format,
          tz: queryArg.tz,
        },
      }),
    }),
    deviceTrackSegments: build.query<DeviceTrackSegmentsApiResponse, DeviceTrackSegmentsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/devices/${encodeURIComponent(String(queryArg.id))}/track/segments`,
        params: {
          from: queryArg['from'],
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
          device_id: queryArg.deviceId,
        },
      }),
    }),
    positionRejections: build.query<PositionRejectionsApiResponse, PositionRejectionsApiArg>({
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
export { injectedRtkApi as positionsApi };
export type DeviceMessagesApiResponse = /** status 200 The answer. */ DeviceMessageList;
export type DeviceMessagesApiArg = {
  /** The device, from the path. */
  id: string;
  /** Only those with this outcome. */
  outcome?: MessageOutcome;
  /** From here on. */
  from?: string;
  /** Until before this. */
  to?: string;
  /** 25 when absent. */
  pageSize?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
  /** Only fixes with one of these marks. */
  mark?: FixMark[];
};
export type DeviceTrackApiResponse = /** status 200 The track, streamed. */ Track;
export type DeviceTrackApiArg = {
  /** The device. */
  id: string;
  /** From here on. */
  from?: string;
  /** Until before this. */
  to?: string;
  /** For the edge, as the next one. */
  format?: TrackFormat;
  /** Of files: the time zone of the days in their names, by its IANA name; UTC when empty. */
  tz?: string;
};
export type DeviceTrackSegmentsApiResponse = /** status 200 The answer. */ TrackSegmentList;
export type DeviceTrackSegmentsApiArg = {
  /** The device. */
  id: string;
  /** From here on. */
  from?: string;
  /** Until before this. */
  to?: string;
};
export type LastPositionsApiResponse = /** status 200 The answer. */ LastPositionList;
export type LastPositionsApiArg = {
  /** Only what this user sees as well. */
  userId?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** When not empty, only these. */
  deviceId?: string[];
};
export type PositionRejectionsApiResponse = /** status 200 The answer. */ RejectionList;
export type PositionRejectionsApiArg = {
  /** Only these, e.g. `malformed`. What is held for whoever gets the IMEI is listed as `unknown_device` alone. */
  reason?: string;
  /** 25 when absent. */
  pageSize?: number;
  /** `next_cursor` of the page before. */
  before?: number;
};
export const {
  useDeviceMessagesQuery,
  useDeviceTrackQuery,
  useDeviceTrackSegmentsQuery,
  useLastPositionsQuery,
  usePositionRejectionsQuery,
} = injectedRtkApi;
tagCalls({ deviceMessages: ['devices', 'read', 'id'], deviceTrackSegments: ['devices', 'read', 'id'] });
