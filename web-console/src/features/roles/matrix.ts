import type { Effect, Permission, RolePermission } from '@/api/generated';
import { MODULES } from '@/i18n/usePermissionTexts';

/** What a role says of a permission. */
export type RoleEffect = Exclude<Effect, 'unspecified'>;

/** In the order of the screen. */
export const EFFECTS: RoleEffect[] = ['none', 'allow', 'deny'];

/** Effects by the keys of permissions; `none` for those that are not there. */
export type Effects = Readonly<Record<string, RoleEffect>>;

/** What the effects say of a permission. */
export const effectOf = (effects: Effects, key: string): RoleEffect => effects[key] ?? 'none';

/** The effects that the server told. */
export const effectsOf = (items: RolePermission[] = []): Effects =>
  Object.fromEntries(items.flatMap(({ key, effect }) => (effect === 'unspecified' ? [] : [[key, effect]])));

/** Permissions that are about the same thing. */
export interface Module {
  module: string;
  permissions: Permission[];
}

/** Permissions that stand for every act of a module, with that module. */
export const MODULE_WIDE_PERMISSIONS: Readonly<Record<string, string>> = {
  'manage-users': 'user',
  'manage-roles': 'role',
  'manage-invoices': 'invoice',
};

/** How the keys of permissions are written: a module and an act, or an act and things. */
export const PERMISSION_KEY = '^(?:[a-z_]+(?:-[a-z_]+)*:[a-z_]+(?:-[a-z_]+)*|[a-z_]+(?:-[a-z_]+)+)$';

/** What a permission is about. */
export const moduleOf = (key: string): string => MODULE_WIDE_PERMISSIONS[key] ?? key.split(':')[0] ?? '';

/** The catalogue by modules: first those that the console has words for, then the others by their names. */
export function modulesOf(permissions: Permission[]): Module[] {
  const byModule = new Map<string, Permission[]>();
  for (const permission of permissions) {
    const module = moduleOf(permission.key);
    const others = byModule.get(module) ?? [];
    // What stands for all of them comes before them.
    byModule.set(module, permission.key in MODULE_WIDE_PERMISSIONS ? [permission, ...others] : [...others, permission]);
  }
  const place = (module: string) => {
    const known = MODULES.findIndex((each) => each === module);
    return known < 0 ? MODULES.length : known;
  };
  return [...byModule]
    .map(([module, found]) => ({ module, permissions: found }))
    .sort((a, b) => place(a.module) - place(b.module) || a.module.localeCompare(b.module));
}

/** How many permissions have which effect. */
export function countEffects(permissions: Permission[], effects: Effects): Record<RoleEffect, number> {
  const counts = { none: 0, allow: 0, deny: 0 };
  for (const { key } of permissions) counts[effectOf(effects, key)] += 1;
  return counts;
}

/** Which permissions the matrix shows. */
export const MATRIX_FILTERS = ['all', 'allow', 'deny', 'none', 'changed'] as const;
/** One of them. */
export type MatrixFilter = (typeof MATRIX_FILTERS)[number];

/** The modules with what of them is to be seen; those of which nothing is are left out. */
export function filterModules(modules: Module[], wanted: (permission: Permission) => boolean): Module[] {
  return modules
    .map(({ module, permissions }) => ({ module, permissions: permissions.filter(wanted) }))
    .filter(({ permissions }) => permissions.length > 0);
}

/** What would be different about a permission. */
export interface Change {
  key: string;
  before: RoleEffect;
  after: RoleEffect;
}

/** Where a draft differs from what the role says, in the order of the keys. */
export function changesOf(base: Effects, draft: Effects): Change[] {
  return Object.entries(draft)
    .map(([key, after]) => ({ key, before: effectOf(base, key), after }))
    .filter(({ before, after }) => before !== after)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

const WIDTH: Record<RoleEffect, number> = { deny: 0, none: 1, allow: 2 };

/** Whether who has the role may do more afterwards: it allows more, or denies less of what other roles allow. */
export const isWider = ({ before, after }: Change): boolean => WIDTH[after] > WIDTH[before];
