import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '@/api/types';
import { useFormats } from '@/i18n/useFormats';

/** What of a user is plain text, by column. */
export function useUserTexts() {
  const { t } = useTranslation('users');
  const formats = useFormats();
  return useMemo(() => {
    const flag = (on: boolean) => (on ? t('yes') : t('no'));
    return {
      name: ({ name }: User) => name,
      email: ({ email }: User) => email,
      phone: ({ phone }: User) => phone,
      tenant_name: ({ tenant_name: tenant }: User) => tenant ?? '',
      // Who needs no role for what they may do is said with the roles.
      roles: ({ is_platform_owner: owner, is_tenant_admin: admin, roles }: User) =>
        [
          ...(owner ? [t('role.platform_owner')] : []),
          ...(admin ? [t('role.tenant_admin')] : []),
          ...roles.map(({ name }) => name),
        ].join(', '),
      status: ({ status }: User) => (status === 'unspecified' ? '' : t(`status.${status}`)),
      last_login: ({ last_login: at }: User) => (at ? formats.dateTime(at) : t('never')),
      is_tenant_admin: ({ is_tenant_admin: on }: User) => flag(on),
      is_subscription_active: ({ is_subscription_active: on }: User) => flag(on),
      has_totp: ({ has_totp: on }: User) => flag(on),
      created_at: ({ created_at: at }: User) => formats.dateTime(at),
      updated_at: ({ updated_at: at }: User) => formats.dateTime(at),
      id: ({ id }: User) => id,
    };
  }, [t, formats]);
}
