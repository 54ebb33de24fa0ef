import { createSlice } from '@reduxjs/toolkit';

/** Whether the server can be reached: the browser has no network, or nobody answers. */
export type Network = 'up' | 'offline' | 'unreachable';

const slice = createSlice({
  name: 'network',
  initialState: 'up' as Network,
  reducers: {
    /** A call got no answer. */
    unanswered: (): Network => (navigator.onLine ? 'unreachable' : 'offline'),
    /** The browser says that it has no network. */
    wentOffline: (): Network => 'offline',
    /** The server answers. */
    answered: (): Network => 'up',
  },
});

/** Actions of the network. */
export const { unanswered, wentOffline, answered } = slice.actions;
/** Reducer of the network. */
export const networkReducer = slice.reducer;
/** Whether the server can be reached. */
export const selectNetwork = (state: { network: Network }) => state.network;
