import { createApi } from '@reduxjs/toolkit/query/react';
import { baseQuery } from './baseQuery';
import { KINDS } from './generatedKinds';

/** The API without calls: the files of `calls/` put in those of one subject each, so that a page loads what it asks for. */
export const api = createApi({
  reducerPath: 'api',
  baseQuery,
  tagTypes: KINDS,
  // A call that hangs holds up nothing; what is under way meanwhile is `overtakenAnswers`' business.
  invalidationBehavior: 'immediately',
  // What is on the screen is asked for again when the server is back.
  refetchOnReconnect: true,
  // And when somebody looks at the page again: another tab may have changed it.
  refetchOnFocus: true,
  endpoints: () => ({}),
});
