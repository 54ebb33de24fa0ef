import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Tenant } from '@/api/types';
import { useFormats } from '@/i18n/useFormats';

/** What of a tenant is plain text, by column. */
export function useTenantTexts() {
  const { t } = useTranslation('tenants');
  const formats = useFormats();
  return useMemo(() => {
    const number = (value: number) => formats.number(value);
    const share = (used: number, limit: number) => `${number(used)} / ${limit === 0 ? t('unlimited') : number(limit)}`;
    return {
      name: ({ name }: Tenant) => name,
      description: ({ description }: Tenant) => description,
      active: ({ active, erase_after: eraseAfter }: Tenant) => {
        if (eraseAfter) return t('status.deleted', { date: formats.date(eraseAfter) });
        return active ? t('status.active') : t('status.inactive');
      },
      subscription_status: ({ subscription_status: status }: Tenant) =>
        status === 'unspecified' ? '' : t(`subscription.${status}`),
      cost_model: ({ cost_model: model }: Tenant) => (model === 'unspecified' ? '' : t(`costModel.${model}`)),
      cost_per_device: ({ cost_per_device: cost, currency }: Tenant) => formats.money(cost, currency),
      cost_bundle: ({ cost_bundle: cost, currency }: Tenant) => formats.money(cost, currency),
      currency: ({ currency }: Tenant) => currency,
      used_devices: ({ used_devices: used, device_limit: limit }: Tenant) => share(used, limit),
      used_users: ({ used_users: used, user_limit: limit }: Tenant) => share(used, limit),
      billing_period: ({ billing_period: period }: Tenant) => (period === 'unspecified' ? '' : t(`period.${period}`)),
      billing_day: ({ billing_day: day }: Tenant) => number(day),
      due_day: ({ due_day: days }: Tenant) => number(days),
      time_zone: ({ time_zone: zone }: Tenant) => zone,
      created_at: ({ created_at: at }: Tenant) => formats.dateTime(at),
      updated_at: ({ updated_at: at }: Tenant) => formats.dateTime(at),
    };
  }, [t, formats]);
}
