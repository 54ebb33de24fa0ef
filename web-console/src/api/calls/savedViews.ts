// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type { SavedView, SavedViewInput, SavedViewList } from '../generated';
import { tagCalls } from '../tags';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listSavedViews: build.query<ListSavedViewsApiResponse, ListSavedViewsApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/saved-views`,
        params: {
          page: queryArg.page,
          page_size: queryArg.pageSize,
          sort: queryArg.sort,
          q: queryArg.q,
          screen: queryArg.screen,
          after: queryArg.after,
        },
      }),
    }),
    createSavedView: build.mutation<CreateSavedViewApiResponse, CreateSavedViewApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/saved-views`,
        method: 'POST',
        body: queryArg.body,
      }),
    }),
    getSavedView: build.query<GetSavedViewApiResponse, GetSavedViewApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/saved-views/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    updateSavedView: build.mutation<UpdateSavedViewApiResponse, UpdateSavedViewApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/saved-views/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.savedViewInput,
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
    deleteSavedView: build.mutation<DeleteSavedViewApiResponse, DeleteSavedViewApiArg>({
      query: (queryArg) => ({
        url: `/api/v1/saved-views/${encodeURIComponent(String(queryArg.id))}`,
        method: 'DELETE',
        headers: {
          'If-Match': queryArg['If-Match'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as savedViewsApi };
export type ListSavedViewsApiResponse = /** status 200 The answer. */ SavedViewList;
export type ListSavedViewsApiArg = {
  /** From 1, as far as the 10,000th entry. */
  page?: number;
  /** 25 when absent. */
  pageSize?: number;
  /** A field, `-` before it for descending. */
  sort?: string;
  /** Matches a part of the name. */
  q?: string;
  /** Only those of this screen. */
  screen?: string;
  /** Goes on behind a page: `next` of that one. `page` means nothing then. */
  after?: string;
};
export type CreateSavedViewApiResponse = /** status 201 It is made. */ SavedView;
export type CreateSavedViewApiArg = {
  body: SavedViewInput & object;
};
export type GetSavedViewApiResponse = /** status 200 As it is now. */ SavedView;
export type GetSavedViewApiArg = {
  id: string;
};
export type UpdateSavedViewApiResponse = /** status 200 As it is now. */ SavedView;
export type UpdateSavedViewApiArg = {
  /** Set by the edge from the path on update. */
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
  savedViewInput: SavedViewInput;
};
export type DeleteSavedViewApiResponse = unknown;
export type DeleteSavedViewApiArg = {
  id: string;
  /** The version that was seen, as `ETag` gave it: 412 when it is not the present one. */
  'If-Match'?: string;
};
export const {
  useListSavedViewsQuery,
  useCreateSavedViewMutation,
  useGetSavedViewQuery,
  useUpdateSavedViewMutation,
  useDeleteSavedViewMutation,
} = injectedRtkApi;
tagCalls({
  listSavedViews: ['saved-views', 'list'],
  createSavedView: ['saved-views', 'add'],
  getSavedView: ['saved-views', 'read', 'id'],
  updateSavedView: ['saved-views', 'change', 'id'],
  deleteSavedView: ['saved-views', 'remove', 'id'],
});
