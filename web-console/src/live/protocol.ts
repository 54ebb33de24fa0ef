import type { ConnectionStatus } from './connection';
import type { LiveDevice, StateCounts } from './liveDevice';
import type { CloseReason } from './reconnect';
import type { VehicleState } from './vehicleState';

/** In which order a list stands. */
export type ListSort = 'name' | 'state' | 'recent';

/** A group of devices, with those in it that the user sees. */
export interface DeviceGroup {
  id: string;
  name: string;
  /** The group that it lies in; null for none. */
  parentId: string | null;
  /** Of those in the group itself. */
  deviceIds: readonly string[];
}

/** The list that is looked at, and which part of it. */
export interface ListQuery {
  search: string;
  /** Null for all. */
  states: VehicleState[] | null;
  /** Only who is in one of these groups, or in one that lies in it; null for all. */
  groups: string[] | null;
  sort: ListSort;
  /**
   * The list stands by groups, and these are not as all others are: closed, or open while something is searched. Null when it
   * does not.
   */
  turned: string[] | null;
  /** Whose order of letters counts. */
  locales: string[];
  /** Grows when somebody asks for a new order. */
  asked: number;
  first: number;
  count: number;
}

/** The head of a group in a list that stands by groups. */
export interface GroupHead {
  /** Empty for the vehicles that are in no group. */
  id: string;
  name: string;
  /** How many groups of the list it lies in. */
  depth: number;
  isOpen: boolean;
  /** Vehicles of the list that are in it or in a group that lies in it, each once: in all, and of each state. */
  total: number;
  counts: StateCounts;
}

/** A part of a list; devices that are as they were reported before are left out. */
export interface ListReport {
  /** Vehicles, and heads of groups. */
  total: number;
  /** Devices there are, whatever was searched. */
  fleetSize: number;
  /** Whether all devices are known by now, and the groups where they are asked for. */
  complete: boolean;
  first: number;
  /** Of the devices; empty where the head of a group stands. */
  ids: string[];
  /** The heads of groups, each with its place in the list; none where it does not stand by groups. */
  heads?: [place: number, head: GroupHead][];
  devices: LiveDevice[];
}

/** What part of the world a canvas shows, and how finely. */
export interface SceneView {
  zoom: number;
  /** World pixels of the canvas' left upper corner at that zoom. */
  originX: number;
  originY: number;
  /** CSS pixels. */
  width: number;
  height: number;
  pixelRatio: number;
}

/** Colours and manners; the worker knows no theme. */
export interface Appearance {
  states: Record<VehicleState, string>;
  outline: string;
  selection: string;
  label: string;
  labelHalo: string;
  trail: string;
  /** Whether names are written beside vehicles; those of the chosen ones always are. */
  names: boolean;
  /** How high they are written, in pixels. */
  nameSize: number;
  /** The zoom from which on a few of them are written. */
  namesFrom: number;
  /** Whether the chosen vehicles draw where they have been. */
  trails: boolean;
  fontFamily: string;
  reducedMotion: boolean;
}

/** A part of the world in degrees. */
export interface Bounds {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Of which vehicles a part of the world is asked for. */
export type BoundsOf = string[] | 'all' | 'most';

/** What lies under a pointer. */
export type Hit =
  { kind: 'vehicle'; id: string; name: string } | { kind: 'bubble'; count: number; bounds: Bounds } | null;

/** A vehicle near a place, as it was when it was asked for. */
export interface NearVehicle {
  id: string;
  name: string;
  state: VehicleState;
  /** Milliseconds since 1970, the time of its newest fix. */
  recordedAt: number;
  /** The straight way over the globe. */
  metres: number;
  /** Degrees clockwise from north in which it lies. */
  bearing: number;
}

/** A vehicle in use that is offline, as it was when it was asked for. */
export interface SilentVehicle {
  id: string;
  name: string;
  /** Milliseconds since 1970, the time of its newest fix. */
  recordedAt: number;
}

/** What is asked of the worker once, by its kind. */
export interface Answers {
  hit: Hit;
  bounds: Bounds | null;
  index_of: number;
  ids_between: string[];
  nearest: NearVehicle[];
  longest_silent: SilentVehicle[];
}

/** The way along which a chosen vehicle is drawn; times are milliseconds since 1970, with fractions. */
export interface GlideReport {
  id: string;
  fromX: number;
  fromY: number;
  toX: number;
  toY: number;
  start: number;
  duration: number;
}

/** What the page tells the worker. */
export type LiveMessage =
  | { type: 'start'; address: string }
  | { type: 'stop'; reason: Extract<CloseReason, 'manual' | 'user_switch'> }
  | { type: 'reconnect' }
  | { type: 'retry' }
  | { type: 'clear' }
  | { type: 'ticket'; request: number; ticket: string }
  | { type: 'no_ticket'; request: number; reason: CloseReason }
  | { type: 'watch'; ids: string[] }
  | { type: 'list'; query: ListQuery | null }
  /** These are chosen: they are marked, and on the map whatever is filtered. */
  | { type: 'choose'; ids: string[] }
  /** Who is in which group; null while nobody knows. */
  | { type: 'groups'; groups: DeviceGroup[] | null }
  | { type: 'canvas'; canvas: OffscreenCanvas }
  | { type: 'canvas_gone' }
  | { type: 'view'; view: SceneView; viewId: number }
  | { type: 'appearance'; appearance: Appearance }
  /** Only these states and groups, and only what a search finds, are on the map; null and '' for all. */
  | { type: 'filter'; states: VehicleState[] | null; groups: string[] | null; search: string }
  | { type: 'hit'; request: number; x: number; y: number }
  /** Of these vehicles, of all that are on the map, or of most of these: without the few that are far away. */
  | { type: 'bounds'; request: number; of: BoundsOf }
  | { type: 'index_of'; request: number; id: string }
  /** The devices of the list from one place to another, both of them counted, in either order. */
  | { type: 'ids_between'; request: number; one: number; other: number }
  /** Of the vehicles on the map those nearest to a place in degrees, the nearest first. */
  | { type: 'nearest'; request: number; lat: number; lng: number; count: number }
  /** Of the vehicles that are offline those that have been for the longest. */
  | { type: 'longest_silent'; request: number; count: number };

/** What the worker tells the page. */
export type LiveReport =
  | { type: 'status'; status: ConnectionStatus }
  /** Something else than positions. */
  | { type: 'message'; message: Record<string, unknown> }
  | { type: 'ticket_wanted'; request: number }
  | { type: 'counts'; counts: StateCounts }
  | { type: 'list'; list: ListReport }
  /** Everything was forgotten; what comes now is of what was learned since. */
  | { type: 'cleared' }
  /** Of watched devices those that changed; null for one that is not there any more. */
  | { type: 'devices'; devices: [id: string, device: LiveDevice | null][] }
  | { type: 'glide'; glide: GlideReport }
  /** All that was known when the connection opened has come. */
  | { type: 'settled' }
  /** A frame of this view is on the canvas. */
  | { type: 'drawn'; viewId: number; vehicles: number; bubbles: number }
  | { type: 'answer'; request: number; answer: Answers[keyof Answers] };
