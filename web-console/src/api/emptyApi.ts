import { createApi } from '@reduxjs/toolkit/query/react';
import { baseQuery } from './baseQuery';

/** Kinds of things that are shown in several places: a list has the tag `LIST` and those of what is on it. */
export const kinds = [
  'devices',
  'claims',
  'assignments',
  'gateways',
  'users',
  'tenants',
  'roles',
  'permissions',
  'account',
  'sessions',
] as const;

/** The API without endpoints; the generated files inject them. */
export const emptyApi = createApi({
  reducerPath: 'api',
  baseQuery,
  // What is on the screen is asked for again when the server is back.
  refetchOnReconnect: true,
  tagTypes: kinds,
  endpoints: () => ({}),
});
