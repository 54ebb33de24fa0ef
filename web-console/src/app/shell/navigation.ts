import { IconAlertTriangle, IconBuilding, IconMap2, IconTruck, IconUsers, type Icon } from '@tabler/icons-react';
import type { Ability } from '@/session/abilities';

/** A screen in the sidebar. */
export interface NavigationEntry {
  path: string;
  /** Key of its name under `nav`. */
  name: 'maps' | 'devices' | 'tenants' | 'users' | 'rejections';
  icon: Icon;
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
  { name: 'operate', entries: [{ path: '/maps', name: 'maps', icon: IconMap2 }] },
  {
    name: 'fleet',
    entries: [
      { path: '/devices', name: 'devices', icon: IconTruck },
      { path: '/position-rejections', name: 'rejections', icon: IconAlertTriangle, ability: 'see_rejections' },
    ],
  },
  {
    name: 'organisation',
    entries: [
      { path: '/tenants', name: 'tenants', icon: IconBuilding, ability: 'manage_tenants' },
      { path: '/users', name: 'users', icon: IconUsers, ability: 'manage_users' },
    ],
  },
];
