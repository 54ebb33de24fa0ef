import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** The permissions that are part of the program, as the texts are filed. Others have only the words that their maker gave them. */
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

/** What they are about, in the order in which they are shown. */
export const MODULES = ['device', 'position', 'user', 'role', 'invoice', 'audit'] as const;

/** Words for permissions in the language of the screen. */
export interface PermissionTexts {
  /** What a permission is called, by its key. */
  name: (key: string) => string;
  /** What it lets one do; what the catalogue says of it where the console has no words. */
  text: (key: string, described?: string) => string;
  /** What those of a module are about. */
  module: (module: string) => string;
}

/** What permissions are called, and what they let one do. */
export function usePermissionTexts(): PermissionTexts {
  const { t } = useTranslation('permissions');
  return useMemo(() => {
    const known = (key: string) => BUILT_IN.find((each) => each === key.replace(/[:-]/, '.'));
    return {
      name: (key) => {
        const own = known(key);
        return own ? t(`permission.${own}.name`) : key;
      },
      text: (key, described = '') => {
        const own = known(key);
        return own ? t(`permission.${own}.text`) : described;
      },
      module: (module) => {
        const own = MODULES.find((each) => each === module);
        return own ? t(`module.${own}`) : module;
      },
    };
  }, [t]);
}
