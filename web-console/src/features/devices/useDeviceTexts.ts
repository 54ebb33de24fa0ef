import { useTranslation } from 'react-i18next';
import type { Device } from '@/api/types';
import { useFormats } from '@/i18n/useFormats';
import type { OwnerNames } from './devicePrint';

/** What of a device is plain text, by column: for printing. */
export function useDeviceTexts({ users, tenants }: OwnerNames): Partial<Record<string, (device: Device) => string>> {
  const { t } = useTranslation('devices');
  const formats = useFormats();
  return {
    name: ({ name }) => name,
    tenant_id: ({ tenant_id }) => tenants.get(tenant_id) ?? tenant_id,
    user_id: ({ user_id = '' }) => users.get(user_id) ?? user_id,
    vehicle_code: ({ vehicle_code }) => vehicle_code,
    imei: ({ imei }) => imei,
    sim_number: ({ sim_number }) => sim_number,
    icon_type: ({ icon_type }) => (icon_type === 'unspecified' ? '' : t(`iconType.${icon_type}`)),
    vehicle_type: ({ vehicle_type }) => vehicle_type,
    primary_driver: ({ primary_driver }) => primary_driver,
    status: ({ status }) => (status === 'active' ? t('status.active') : t('status.inactive')),
    updated_at: ({ updated_at }) => formats.dateTime(updated_at),
  };
}
