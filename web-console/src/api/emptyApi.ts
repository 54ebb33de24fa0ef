import { createApi } from '@reduxjs/toolkit/query/react';
import { baseQuery } from './baseQuery';

/** The API without endpoints; the generated files inject them. */
export const emptyApi = createApi({
  reducerPath: 'api',
  baseQuery,
  // What is on the screen is asked for again when the server is back.
  refetchOnReconnect: true,
  // And when somebody looks at the page again: another tab may have changed it.
  refetchOnFocus: true,
  endpoints: () => ({}),
});
