import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { RESOURCE_ENTRIES } from '@/resource/registry';
import { useNouns } from '@/resource/texts';

/** Permissions that have words of their own, as the texts are filed. */
const BUILT_IN = [
  'audit.export',
  'audit.list',
  'device.create',
  'device.delete',
  'device.export',
  'device.list',
  'device.update',
  'manage.invoices',
  'manage.roles',
  'manage.users',
  'position.history',
  'position.live',
  'role.create',
  'role.delete',
  'role.list',
  'role.update',
  'user.assign_roles',
  'user.create',
  'user.delete',
  'user.export',
  'user.invite',
  'user.list',
  'user.update',
] as const;

/** Acts that all resources have words for. */
const SHARED = ['list', 'create', 'update', 'delete', 'export'] as const;

/** What they are about, in the order in which they are shown. */
export const MODULES = ['device', 'driver', 'position', 'user', 'role', 'invoice', 'audit'] as const;

/** Words for permissions in the language of the screen. */
export interface PermissionTexts {
  /** What a permission is called, by its key. */
  name: (key: string) => string;
  /** What it lets one do; what the catalogue says of it where the console has no words. */
  text: (key: string, described?: string) => string;
  /** What those of a module are about. */
  module: (module: string) => string;
}

/**
 * What permissions are called, and what they let one do: in their own words, in those of all resources, or, where the
 * program knows none of them, as their maker put it.
 */
export function usePermissionTexts(): PermissionTexts {
  const { t } = useTranslation(['permissions', 'resource']);
  const nouns = useNouns();
  return useMemo(() => {
    const words = (key: string, part: 'name' | 'text') => {
      const own = BUILT_IN.find((each) => each === key.replace(/[:-]/, '.'));
      if (own) return t(`permission.${own}.${part}`);
      const [module = '', act] = key.split(':');
      const shared = SHARED.find((each) => each === act);
      const of = resourceOf(module);
      return shared && of ? t(`resource:permission.${shared}.${part}`, nouns(of)) : undefined;
    };
    return {
      name: (key) => words(key, 'name') ?? key,
      text: (key, described = '') => words(key, 'text') ?? described,
      module: (module) => {
        const of = resourceOf(module);
        if (of) return nouns(of).Many;
        const own = OTHERS.find((each) => each === module);
        return own ? t(`module.${own}`) : module;
      },
    };
  }, [t, nouns]);
}

/** Modules that are no resource. */
const OTHERS = ['position', 'invoice'] as const;
const resourceOf = (module: string) => RESOURCE_ENTRIES.find(([, { module: own }]) => own === module)?.[0];
