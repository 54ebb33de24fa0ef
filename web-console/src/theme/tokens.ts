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
  road: string;
  /** Around a road. */
  roadCasing: string;
  label: string;
  labelHalo: string;
  /** Around every vehicle, so that it stands out from land and from its neighbours. */
  outline: string;
  selection: string;
  /** Names of vehicles. */
  name: string;
  track: string;
}

/** Muted, so that vehicles stand out. */
export const MAP_COLORS: Record<Scheme, MapColors> = {
  light: {
    water: '#d3e0e6',
    land: '#f5f4f0',
    border: '#c3c1ba',
    coast: '#a9bcc5',
    road: '#ffffff',
    roadCasing: '#d9d3c4',
    label: '#55606a',
    labelHalo: '#f5f4f0',
    outline: '#ffffff',
    selection: '#0b5f63',
    name: '#172026',
    track: '#0b7a80',
  },
  dark: {
    water: '#10191f',
    land: '#1d262c',
    border: '#3b4750',
    coast: '#33424c',
    road: '#34424c',
    roadCasing: '#161e23',
    label: '#93a1ac',
    labelHalo: '#161e23',
    outline: '#0d1317',
    selection: '#5eead4',
    name: '#e6ebee',
    track: '#2dd4bf',
  },
};

/** Colours of a track by its speed, from standing to fast: none of them is that of a state, and none that of an alarm. */
export const SPEED_COLORS: Record<Scheme, readonly string[]> = {
  light: ['#64748b', '#4c1d95', '#86198f', '#be185d', '#c2410c', '#a16207'],
  dark: ['#94a3b8', '#a78bfa', '#e879f9', '#fb7185', '#fb923c', '#fde047'],
};

/** Colours that only tell one thing from the next: trips, or vehicles. */
export const SERIES_COLORS: Record<Scheme, readonly string[]> = {
  light: ['#0b7a80', '#b45309', '#6d28d9', '#1d4ed8', '#be185d', '#15803d'],
  dark: ['#2dd4bf', '#fbbf24', '#b79cff', '#7aa7ff', '#f58ab8', '#4ade80'],
};

/** The colours as the variables of style sheets. */
export function colorVariables(scheme: Scheme): Record<string, string> {
  const surface: Record<string, string> =
    scheme === 'light'
      ? {
          '--armada-surface': '#ffffff',
          '--armada-surface-raised': '#ffffff',
          '--armada-surface-sunken': '#f4f6f7',
          '--armada-surface-hover': '#eef2f3',
          '--armada-surface-selected': '#dff1f1',
          '--armada-border': '#dde3e6',
          '--armada-text': '#172026',
          '--armada-text-dimmed': '#55626c',
          '--armada-brand-text': '#0b5f63',
          '--armada-brand-fill': '#0b5f63',
          '--armada-field-border': '#b9c3c9',
          '--armada-error': '#c01c1c',
          // Behind white text.
          '--armada-alarm-fill': '#b91c1c',
          '--armada-warning-fill': '#92400e',
          '--armada-shadow': '0 6px 24px rgb(16 32 40 / 16%)',
        }
      : {
          '--armada-surface': '#171e23',
          '--armada-surface-raised': '#1d262c',
          '--armada-surface-sunken': '#11171b',
          '--armada-surface-hover': '#222d34',
          '--armada-surface-selected': '#163a3c',
          '--armada-border': '#2e3a42',
          '--armada-text': '#e6ebee',
          '--armada-text-dimmed': '#a0adb7',
          '--armada-brand-text': '#6ccdcf',
          '--armada-brand-fill': '#0b7479',
          '--armada-field-border': '#46545e',
          '--armada-error': '#ff8f87',
          '--armada-alarm-fill': '#b91c1c',
          '--armada-warning-fill': '#92400e',
          '--armada-shadow': '0 6px 24px rgb(0 0 0 / 50%)',
        };
  const states = Object.entries(VEHICLE_COLORS[scheme]).map(([state, color]) => [
    `--armada-state-${state.replace('_', '-')}`,
    color,
  ]);
  return {
    ...surface,
    ...Object.fromEntries(states),
    '--armada-map-water': MAP_COLORS[scheme].water,
  };
}
