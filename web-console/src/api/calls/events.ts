// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type { EventList, EventSummary } from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listEvents: build.query<ListEventsApiResponse, ListEventsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/events`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          userId: queryArg.userId,
          device_id: queryArg.deviceId,
          kind: queryArg.kind,
          from: queryArg['from'],
          to: queryArg.to,
          after: queryArg.after,
        },
      }),
    }),
    eventSummary: build.query<EventSummaryApiResponse, EventSummaryApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/events/summary`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          tenant_id: queryArg.tenantId,
          userId: queryArg.userId,
          device_id: queryArg.deviceId,
          kind: queryArg.kind,
          from: queryArg['from'],
          to: queryArg.to,
          after: queryArg.after,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as eventsApi };
export type ListEventsApiResponse = /** status 200 The answer. */ EventList;
export type ListEventsApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of the title. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only what concerns vehicles that this user sees as well. */
  userId?: string;
  /** Only what concerns these vehicles, at most 500. */
  deviceId?: string[];
  /** Only these kinds; with a star for all of a module, e.g. `alarm.*`. */
  kind?: string[];
  /** What happened from here on. */
  from?: string;
  /** What happened before this. */
  to?: string;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type EventSummaryApiResponse = /** status 200 The answer. */ EventSummary;
export type EventSummaryApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of the title. */
  q?: string;
  /** Only of this tenant, for platform owners. */
  tenantId?: string;
  /** Only what concerns vehicles that this user sees as well. */
  userId?: string;
  /** Only what concerns these vehicles, at most 500. */
  deviceId?: string[];
  /** Only these kinds; with a star for all of a module, e.g. `alarm.*`. */
  kind?: string[];
  /** What happened from here on. */
  from?: string;
  /** What happened before this. */
  to?: string;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export const { useListEventsQuery, useEventSummaryQuery } = injectedRtkApi;
tagCalls({ listEvents: ['events', 'list'], eventSummary: ['events', 'list'] });
