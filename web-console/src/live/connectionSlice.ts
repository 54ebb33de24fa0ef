import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { ConnectionStatus } from './connection';

const initialState: ConnectionStatus = { state: 'disconnected', problem: null };

const slice = createSlice({
  name: 'connection',
  initialState,
  reducers: {
    connectionChanged: (_state, action: PayloadAction<ConnectionStatus>) => action.payload,
  },
});

/** The live connection's state changed. */
export const { connectionChanged } = slice.actions;
/** Reducer of the live connection's state. */
export const connectionReducer = slice.reducer;
/** The live connection's state. */
export const selectConnection = (state: { connection: ConnectionStatus }) => state.connection;
