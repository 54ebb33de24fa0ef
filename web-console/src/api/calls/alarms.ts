// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type {
  AcknowledgeAlarmInput,
  AcknowledgeAlarmsRequest,
  AcknowledgedAlarms,
  Alarm,
  AlarmList,
  AlarmSeverity,
  AlarmState,
} from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listAlarms: build.query<ListAlarmsApiResponse, ListAlarmsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/alarms`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          userId: queryArg.userId,
          device_id: queryArg.deviceId,
          kind: queryArg.kind,
          state: queryArg.state,
          severity: queryArg.severity,
          from: queryArg['from'],
          to: queryArg.to,
          after: queryArg.after,
        },
      }),
    }),
    acknowledgeAlarms: build.mutation<AcknowledgeAlarmsApiResponse, AcknowledgeAlarmsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/alarms/acknowledge`,
        method: 'POST',
        body: queryArg.acknowledgeAlarmsRequest,
      }),
    }),
    getAlarm: build.query<GetAlarmApiResponse, GetAlarmApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/alarms/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    acknowledgeAlarm: build.mutation<AcknowledgeAlarmApiResponse, AcknowledgeAlarmApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/alarms/${encodeURIComponent(String(queryArg.id))}/acknowledge`,
        method: 'POST',
        body: queryArg.acknowledgeAlarmInput,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as alarmsApi };
export type ListAlarmsApiResponse = /** status 200 The answer. */ AlarmList;
export type ListAlarmsApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of what was said of it when it was acknowledged. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only of vehicles that this user sees as well. */
  userId?: string;
  /** Only of these vehicles, at most 500. */
  deviceId?: string[];
  /** Only of these kinds; with a star for all of a module, e.g. `alarm.*`. */
  kind?: string[];
  /** Only in these states. */
  state?: AlarmState[];
  /** Only those that ask so much. */
  severity?: AlarmSeverity[];
  /** Whose last event happened from here on. */
  from?: string;
  /** Whose last event happened before this. */
  to?: string;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type AcknowledgeAlarmsApiResponse = /** status 200 The answer. */ AcknowledgedAlarms;
export type AcknowledgeAlarmsApiArg = {
  acknowledgeAlarmsRequest: AcknowledgeAlarmsRequest;
};
export type GetAlarmApiResponse = /** status 200 As it is now. */ Alarm;
export type GetAlarmApiArg = {
  id: string;
};
export type AcknowledgeAlarmApiResponse = /** status 200 As it is now. */ Alarm;
export type AcknowledgeAlarmApiArg = {
  /** The alarm, from the path. */
  id: string;
  acknowledgeAlarmInput: AcknowledgeAlarmInput;
};
export const { useListAlarmsQuery, useAcknowledgeAlarmsMutation, useGetAlarmQuery, useAcknowledgeAlarmMutation } =
  injectedRtkApi;
tagCalls({
  listAlarms: ['alarms', 'list'],
  acknowledgeAlarms: ['alarms', 'add'],
  getAlarm: ['alarms', 'read', 'id'],
  acknowledgeAlarm: ['alarms', 'change', 'id'],
});
