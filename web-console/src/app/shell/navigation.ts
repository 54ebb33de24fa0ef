import {
  IconAlertTriangle,
  IconBuilding,
  IconHistory,
  IconMap2,
  IconShieldLock,
  IconTruck,
  IconUsers,
  IconZoomQuestion,
  type Icon,
} from '@tabler/icons-react';
import { can, type Ability } from '@/session/abilities';
import type { Person } from '@/session/claims';
import type { ScreenPath } from '../paths';

/** A screen in the sidebar. */
export interface NavigationEntry {
  path: ScreenPath;
  /** Key of its name under `nav`. */
  name: 'maps' | 'devices' | 'tenants' | 'users' | 'roles' | 'audit' | 'rejections' | 'claims';
  icon: Icon;
  /** Pressed after `g`, leads there. */
  key: string;
  /**
   * Shown only to those who may do this; without it, to all, and the screen itself says who may not see it. Admins hold
   * every permission of their tenant, so that one permission stands for "or is an admin" as well.
   */
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
      {
        path: '/position-rejections',
        name: 'rejections',
        icon: IconAlertTriangle,
        key: 'r',
        ability: 'platform_owner',
      },
      { path: '/imei-claims', name: 'claims', icon: IconZoomQuestion, key: 'i', ability: 'platform_owner' },
    ],
  },
  {
    name: 'organisation',
    entries: [
      { path: '/tenants', name: 'tenants', icon: IconBuilding, key: 't', ability: 'platform_owner' },
      { path: '/users', name: 'users', icon: IconUsers, key: 'u' },
      { path: '/roles', name: 'roles', icon: IconShieldLock, key: 'p', ability: 'role:list' },
      { path: '/audit', name: 'audit', icon: IconHistory, key: 'l', ability: 'audit:list' },
    ],
  },
];

/** The groups with the screens that this person may open. */
export function navigationFor(person: Person | null): NavigationGroup[] {
  if (person?.mustSetUpTotp) return [];
  return NAVIGATION.map((group) => ({
    ...group,
    entries: group.entries.filter(({ ability }) => !ability || can(ability, person)),
  })).filter(({ entries }) => entries.length > 0);
}
