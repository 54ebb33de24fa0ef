import type { LivePosition, StandingAlarm } from './position';
import type { VehicleState } from './vehicleState';

/** Kinds of vehicles, by their number in `DeviceIconType`. */
export const ICON_TYPES = [
  'unspecified',
  'car',
  'van',
  'pickup',
  'truck',
  'bus',
  'motorcycle',
  'heavy_equipment',
] as const;
/** One of them. */
export type IconType = (typeof ICON_TYPES)[number];

/** A device as the live connection knows it. */
export interface LiveDevice {
  id: string;
  imei: string;
  name: string;
  /** Number plate or the fleet's own code; empty when there is none. */
  vehicleCode: string;
  /** The driver's name; empty when there is none. */
  driver: string;
  iconType: IconType;
  /** Not in use: the map and its list leave it out, unless it is the one that was asked for. */
  inactive: boolean;
  state: VehicleState;
  /** Where some stand, those first that ask most; wherever it is, if it has ever said that. */
  alarms?: readonly StandingAlarm[];
  /** Null while it has never reported. */
  position: LivePosition | null;
}

/** How many vehicles are in each state. */
export type StateCounts = Record<VehicleState, number>;
