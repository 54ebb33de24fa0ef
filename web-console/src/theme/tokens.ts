import type { VehicleState } from '@/live/vehicleState';

/** Light or dark, as it is on the screen (never `auto`). */
export type Scheme = 'light' | 'dark';

/** Colours of the vehicle states, the same on the map, in lists and in chips. */
export const VEHICLE_COLORS: Record<Scheme, Record<VehicleState, string>> = {
  light: {
    moving: '#15803d',
    idle: '#b45309',
    parked: '#1d4ed8',
    offline: '#5f6b76',
    no_data: '#5f6b76',
    alarm: '#c81e1e',
  },
  dark: {
    moving: '#4ade80',
    idle: '#fbbf24',
    parked: '#7aa7ff',
    offline: '#a3afba',
    no_data: '#a3afba',
    alarm: '#ff7b72',
  },
};

/** What the map needs besides the states. */
export interface MapColors {
  water: string;
  land: string;
  border: string;
  coast: string;
  label: string;
  labelHalo: string;
  /** Around every vehicle, so that it stands out from land and from its neighbours. */
  outline: string;
  selection: string;
  /** Names of vehicles. */
  name: string;
  track: string;
  cluster: string;
  clusterText: string;
}

/** Muted, so that vehicles stand out. */
export const MAP_COLORS: Record<Scheme, MapColors> = {
  light: {
    water: '#d3e0e6',
    land: '#f5f4f0',
    border: '#c3c1ba',
    coast: '#a9bcc5',
    label: '#55606a',
    labelHalo: '#f5f4f0',
    outline: '#ffffff',
    selection: '#0b5f63',
    name: '#172026',
    track: '#0b7a80',
    cluster: '#0b5f63',
    clusterText: '#ffffff',
  },
  dark: {
    water: '#10191f',
    land: '#1d262c',
    border: '#3b4750',
    coast: '#33424c',
    label: '#93a1ac',
    labelHalo: '#161e23',
    outline: '#0d1317',
    selection: '#5eead4',
    name: '#e6ebee',
    track: '#2dd4bf',
    cluster: '#0f766e',
    clusterText: '#ffffff',
  },
};
