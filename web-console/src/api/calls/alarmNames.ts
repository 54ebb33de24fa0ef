// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type { AlarmName, AlarmNameInput, AlarmNameList } from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listAlarmNames: build.query<ListAlarmNamesApiResponse, ListAlarmNamesApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/alarm-names`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          after: queryArg.after,
        },
      }),
    }),
    getAlarmName: build.query<GetAlarmNameApiResponse, GetAlarmNameApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/alarm-names/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateAlarmName: build.mutation<UpdateAlarmNameApiResponse, UpdateAlarmNameApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/alarm-names/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.alarmNameInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    deleteAlarmName: build.mutation<DeleteAlarmNameApiResponse, DeleteAlarmNameApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/alarm-names/${encodeURIComponent(String(queryArg.id))}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as alarmNamesApi };
export type ListAlarmNamesApiResponse = /** status 200 The answer. */ AlarmNameList;
export type ListAlarmNamesApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of the name. */
  q?: string;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type GetAlarmNameApiResponse = /** status 200 As it is now. */ AlarmName;
export type GetAlarmNameApiArg = {
  id: string;
};
export type UpdateAlarmNameApiResponse = /** status 200 As it is now. */ AlarmName;
export type UpdateAlarmNameApiArg = {
  /** Set by the edge from the path. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  alarmNameInput: AlarmNameInput;
};
export type DeleteAlarmNameApiResponse = unknown;
export type DeleteAlarmNameApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export const { useListAlarmNamesQuery, useGetAlarmNameQuery, useUpdateAlarmNameMutation, useDeleteAlarmNameMutation } =
  injectedRtkApi;
tagCalls({
  listAlarmNames: ['alarm-names', 'list'],
  getAlarmName: ['alarm-names', 'read', 'id'],
  updateAlarmName: ['alarm-names', 'change', 'id'],
  deleteAlarmName: ['alarm-names', 'remove', 'id'],
});
