import { useMemo } from 'react';
import { RESOURCE_ENTRIES } from '@/resource/registry';
import { useResourceTexts, type ResourceTexts } from '@/resource/texts';

/** Acts that all resources have words for. */
const SHARED = ['list', 'create', 'update', 'delete', 'export'];

/** What they are about, in the order in which they are shown. */
export const MODULES = [
  'device',
  'device_member',
  'driver',
  'document',
  'share_link',
  'command',
  'saved_command',
  'maintenance',
  'maintenance_log',
  'master_data',
  'gateway',
  'heard_imei',
  'position',
  'threshold',
  'alarm',
  'event',
  'user',
  'role',
  'invoice',
  'audit',
];

/** Words for permissions in the language of the screen. */
interface PermissionTexts {
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
export function permissionTexts({ t, has, nouns }: ResourceTexts): PermissionTexts {
  const words = (key: string, part: 'name' | 'text') => {
    const own = `permission.${key.replace(/[:-]/, '.')}.${part}`;
    if (has(own)) return t(own);
    const [module = '', act = ''] = key.split(':');
    const of = resourceOf(module);
    return of && SHARED.includes(act) ? t(`permission.${act}.${part}`, nouns(of)) : undefined;
  };
  return {
    name: (key) => words(key, 'name') ?? key,
    text: (key, described = '') => words(key, 'text') ?? described,
    module: (module) => {
      const of = resourceOf(module);
      if (of) return nouns(of).Many;
      return has(`module.${module}`) ? t(`module.${module}`) : module;
    },
  };
}

/** The same, for a screen that shows them. */
export function usePermissionTexts(): PermissionTexts {
  const texts = useResourceTexts('permissions');
  return useMemo(() => permissionTexts(texts), [texts]);
}

const resourceOf = (module: string) => RESOURCE_ENTRIES.find(([, { module: own }]) => own === module)?.[0];
