// Made by contract.mjs from openapi.json. Do not edit.
import { api } from '../api';
import type { WsTicket } from '../generated';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    wsTicket: build.mutation<WsTicketApiResponse, WsTicketApiArg>({
      query: () => ({ url: `/api/v1/ws-ticket`, method: 'POST' }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as liveApi };
export type WsTicketApiResponse = /** status 200 The ticket. */ WsTicket;
export type WsTicketApiArg = void;
export const { useWsTicketMutation } = injectedRtkApi;
