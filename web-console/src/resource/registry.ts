import {
  IconAdjustments,
  IconAlertTriangle,
  IconBellRinging,
  IconBuilding,
  IconDatabase,
  IconFileCertificate,
  IconHistory,
  IconLayoutDashboard,
  IconLink,
  IconMap2,
  IconPlayerPlay,
  IconRouter,
  IconShare2,
  IconSend,
  IconShieldLock,
  IconSteeringWheel,
  IconTags,
  IconTimelineEvent,
  IconTool,
  IconTruck,
  IconUsers,
  IconZoomQuestion,
  type Icon,
} from '@tabler/icons-react';
import type { Kind } from '@/api/generatedKinds';
import type { RESOURCES } from '@/api/generatedResources';
import type { Namespace } from '@/i18n/i18n';
import { can, type Ability } from '@/session/abilities';
import type { Person } from '@/session/claims';

/** Screens that belong together, in the order of the sidebar. */
export const GROUPS = ['operate', 'fleet', 'organisation'] as const;

/** A place of the sidebar. */
interface Place {
  group: (typeof GROUPS)[number];
  /** From the top of the group. */
  order: number;
  icon: Icon;
  /** Pressed after `g`, leads there. */
  key: string;
  /** Shown to all: the screen itself says who may not see it. */
  forAll?: boolean;
}

/** What the whole console knows of a resource before its screen is loaded. */
export interface ResourceEntry {
  path: string;
  namespace: Namespace;
  /** Where in the namespace its texts stand, where it shares the namespace. */
  textsAt?: string;
  /** Whose permissions are asked for (`device:list`); null where all of it is for platform owners. */
  module: string | null;
  /** Who may look at it, where all else is for platform owners. */
  readBy?: Ability;
  /** What the audit calls one. */
  auditKind: string;
  /** Which service runs its jobs; missing where nothing is done to many at once. */
  service?: 'fleet' | 'identity';
  /** In the sidebar; others are reached from another screen. */
  place?: Place;
  /** Offered everywhere as "add …". */
  offersNew?: boolean;
  /** Found by the palette; what is said of one besides its name. */
  search?: readonly string[];
  /** Where its things say how they are called, other than in `name`. */
  label?: string;
  /** What is shown of other things in its rows, names or numbers: changes of those make it old. */
  shows?: readonly Kind[];
}

const ENTRIES = {
  devices: {
    path: '/devices',
    namespace: 'devices',
    module: 'device',
    auditKind: 'device',
    service: 'fleet',
    place: { group: 'fleet', order: 1, icon: IconTruck, key: 'd', forAll: true },
    offersNew: true,
    search: ['vehicle_code', 'imei'],
    shows: ['imei-claims', 'drivers', 'master-data', 'device-members'],
  },
  drivers: {
    path: '/drivers',
    namespace: 'drivers',
    module: 'driver',
    auditKind: 'driver',
    service: 'fleet',
    place: { group: 'fleet', order: 2, icon: IconSteeringWheel, key: 'v', forAll: true },
    offersNew: true,
    search: ['phone', 'license_plate'],
  },
  'device-members': {
    path: '/device-members',
    namespace: 'deviceMembers',
    module: 'device_member',
    auditKind: 'device_member',
    service: 'fleet',
    place: { group: 'fleet', order: 2.6, icon: IconLink, key: 'h', forAll: true },
    offersNew: true,
    shows: ['devices', 'users'],
  },
  documents: {
    path: '/documents',
    namespace: 'documents',
    module: 'document',
    auditKind: 'document',
    service: 'fleet',
    place: { group: 'fleet', order: 2.5, icon: IconFileCertificate, key: 'k', forAll: true },
    offersNew: true,
    search: ['subject_name', 'subject_code'],
    shows: ['devices', 'drivers'],
  },
  'share-links': {
    path: '/share-links',
    namespace: 'shareLinks',
    module: 'share_link',
    auditKind: 'share_link',
    service: 'fleet',
    place: { group: 'fleet', order: 3.5, icon: IconShare2, key: 's' },
    offersNew: true,
    search: ['subject_name'],
    shows: ['devices', 'master-data', 'users'],
  },
  alarms: {
    path: '/alarms',
    namespace: 'alarms',
    module: 'alarm',
    auditKind: 'alarm',
    place: { group: 'operate', order: 1.2, icon: IconBellRinging, key: 'a' },
    label: 'device_name',
    shows: ['devices'],
  },
  'alarm-names': {
    path: '/alarm-names',
    namespace: 'alarmNames',
    module: null,
    auditKind: 'alarm_name',
    place: { group: 'fleet', order: 7.5, icon: IconTags, key: 'z' },
  },
  events: {
    path: '/events',
    namespace: 'events',
    module: 'event',
    auditKind: 'event',
    place: { group: 'operate', order: 1.7, icon: IconTimelineEvent, key: 'e' },
    shows: ['devices'],
  },
  commands: {
    path: '/commands',
    namespace: 'commands',
    module: 'command',
    auditKind: 'command',
    service: 'fleet',
    place: { group: 'operate', order: 2, icon: IconSend, key: 'c' },
    label: 'device_name',
    offersNew: true,
  },
  'saved-commands': {
    path: '/commands/saved',
    namespace: 'commands',
    textsAt: 'kept.',
    module: 'saved_command',
    auditKind: 'saved_command',
    service: 'fleet',
  },
  maintenance: {
    path: '/maintenance',
    namespace: 'maintenance',
    module: 'maintenance',
    auditKind: 'maintenance',
    service: 'fleet',
    place: { group: 'fleet', order: 2.7, icon: IconTool, key: 'o', forAll: true },
    label: 'title',
    offersNew: true,
    search: ['device_name', 'vehicle_code'],
    shows: ['devices', 'maintenance-logs'],
  },
  'maintenance-logs': {
    path: '/maintenance/completed',
    namespace: 'maintenance',
    textsAt: 'logs.',
    module: 'maintenance_log',
    auditKind: 'maintenance_log',
    service: 'fleet',
    label: 'title',
    shows: ['devices', 'maintenance'],
  },
  'master-data': {
    path: '/master-data',
    namespace: 'masterData',
    module: 'master_data',
    auditKind: 'master_data',
    service: 'fleet',
    place: { group: 'fleet', order: 4, icon: IconDatabase, key: 'b' },
    label: 'label',
    offersNew: true,
    search: ['description'],
  },
  'imei-claims': {
    path: '/imei-claims',
    namespace: 'claims',
    module: null,
    auditKind: 'imei_claim',
    service: 'fleet',
    place: { group: 'fleet', order: 6, icon: IconZoomQuestion, key: 'i' },
    shows: ['devices', 'imei-assignments'],
  },
  'imei-assignments': {
    path: '/imei-claims/assignments',
    namespace: 'claims',
    textsAt: 'assignments.',
    module: null,
    auditKind: 'imei',
    service: 'fleet',
  },
  'heard-imeis': {
    path: '/imei-claims/heard',
    namespace: 'claims',
    textsAt: 'unknown.',
    module: 'heard_imei',
    auditKind: 'heard_imei',
    service: 'fleet',
    shows: ['devices', 'imei-claims'],
  },
  gateways: {
    path: '/gateways',
    namespace: 'gateways',
    module: 'gateway',
    auditKind: 'gateway',
    service: 'identity',
    place: { group: 'fleet', order: 7, icon: IconRouter, key: 'w' },
    offersNew: true,
    search: ['notes'],
  },
  tenants: {
    path: '/tenants',
    namespace: 'tenants',
    module: null,
    auditKind: 'tenant',
    service: 'identity',
    place: { group: 'organisation', order: 1, icon: IconBuilding, key: 't' },
    offersNew: true,
    search: ['description'],
    shows: ['devices', 'users'],
  },
  users: {
    path: '/users',
    namespace: 'users',
    module: 'user',
    auditKind: 'user',
    service: 'identity',
    place: { group: 'organisation', order: 2, icon: IconUsers, key: 'u', forAll: true },
    offersNew: true,
    search: ['email'],
    shows: ['roles', 'tenants'],
  },
  roles: {
    path: '/roles',
    namespace: 'roles',
    module: 'role',
    auditKind: 'role',
    service: 'identity',
    place: { group: 'organisation', order: 3, icon: IconShieldLock, key: 'p' },
    offersNew: true,
    shows: ['users', 'tenants', 'permissions'],
  },
  permissions: {
    path: '/roles/permissions',
    namespace: 'permissions',
    module: null,
    readBy: 'role:list',
    auditKind: 'permission',
    service: 'identity',
  },
  audit: {
    path: '/audit',
    namespace: 'audit',
    module: 'audit',
    auditKind: 'audit',
    service: 'identity',
    place: { group: 'organisation', order: 4, icon: IconHistory, key: 'l' },
  },
} satisfies Partial<Record<keyof typeof RESOURCES, ResourceEntry>>;

/** Things that the server lists in pages and the console shows, by the first part of their addresses. */
export type ResourceKey = keyof typeof ENTRIES;

/** Every resource of the console: routes, sidebar, palette, selects and the texts of permissions and audit come from here. */
export const REGISTRY: Record<ResourceKey, ResourceEntry> = ENTRIES;

/** What one of its things is called, wherever it is chosen or found. */
export const labelIn = (key: ResourceKey, thing: object): string => {
  const { label = 'name' } = REGISTRY[key];
  return String((thing as Record<string, unknown>)[label] ?? '');
};

/** The resources with their keys. */
export const RESOURCE_ENTRIES = Object.entries(REGISTRY) as [ResourceKey, ResourceEntry][];

/** What the services and the audit call one of its things, e.g. `device`: the resource, if the console has it. */
export const resourceOfKind = (kind: string): ResourceKey | undefined =>
  RESOURCE_ENTRIES.find(([, { auditKind }]) => auditKind === kind)?.[0];

/** Whether this person may do something of a resource: to list, to create, to delete. Admins hold every permission. */
export function mayDo(key: ResourceKey, act: string, person: Person | null): boolean {
  const { module, readBy } = REGISTRY[key];
  if (module !== null) return can(`${module}:${act}`, person);
  return can((act === 'list' && readBy) || 'platform_owner', person);
}

/** A screen that is no resource. */
interface Screen extends Place {
  path: string;
  /** Key of its name under `nav`. */
  name: 'dashboard' | 'maps' | 'playback' | 'rejections' | 'thresholds';
  /** Shown only to those who may do this; without it, to all, and the screen itself says who may not see it. */
  ability?: Ability;
}

/** The keys, after `g`, of pages that are not in the sidebar. */
export const PAGE_KEYS = { account: 'n', jobs: 'j' };

/** Screens of their own in the sidebar. */
export const SCREENS: Screen[] = [
  { path: '/', name: 'dashboard', group: 'operate', order: 0, icon: IconLayoutDashboard, key: 'f' },
  { path: '/maps', name: 'maps', group: 'operate', order: 1, icon: IconMap2, key: 'm' },
  { path: '/playback', name: 'playback', group: 'operate', order: 1.5, icon: IconPlayerPlay, key: 'y' },
  {
    path: '/position-rejections',
    name: 'rejections',
    group: 'fleet',
    order: 5,
    icon: IconAlertTriangle,
    key: 'r',
    ability: 'platform_owner',
  },
  {
    path: '/thresholds',
    name: 'thresholds',
    group: 'organisation',
    order: 3.5,
    icon: IconAdjustments,
    key: 'x',
    ability: 'threshold:list',
  },
];
