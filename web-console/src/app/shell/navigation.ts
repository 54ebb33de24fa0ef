import { IconAlertTriangle, IconBuilding, IconMap2, IconTruck, IconUsers, type Icon } from '@tabler/icons-react';
import { can, type Ability } from '@/session/abilities';
import type { Person } from '@/session/claims';
import type { ScreenPath } from '../paths';

/** A screen in the sidebar. */
export interface NavigationEntry {
  path: ScreenPath;
  /** Key of its name under `nav`. */
  name: 'maps' | 'devices' | 'tenants' | 'users' | 'rejections';
  icon: Icon;
  /** Pressed after `g`, leads there. */
  key: string;
  /** Shown only to those who may do this. */
  ability?: Ability;
}

/** Screens that belong together. */
export interface NavigationGroup {
  /** Key of its name under `nav.group`. */
  name: 'operate' | 'fleet' | 'organisation';
  entries: NavigationEntry[];
}

/** The sidebar, in the order of the specification inside each group. */
export const NAVIGATION: NavigationGroup[] = [
  { name: 'operate', entries: [{ path: '/maps', name: 'maps', icon: IconMap2, key: 'm' }] },
  {
    name: 'fleet',
    entries: [
      { path: '/devices', name: 'devices', icon: IconTruck, key: 'd' },
      { path: '/position-rejections', name: 'rejections', icon: IconAlertTriangle, key: 'r', ability: 'platform_owner' },
    ],
  },
  {
    name: 'organisation',
    entries: [
      { path: '/tenants', name: 'tenants', icon: IconBuilding, key: 't', ability: 'platform_owner' },
      { path: '/users', name: 'users', icon: IconUsers, key: 'u', ability: 'user:list' },
    ],
  },
];

/** The groups with the screens that this person may open. */
export function navigationFor(person: Person | null): NavigationGroup[] {
  return NAVIGATION.map((group) => ({
    ...group,
    entries: group.entries.filter(({ ability }) => !ability || can(ability, person)),
  })).filter(({ entries }) => entries.length > 0);
}
