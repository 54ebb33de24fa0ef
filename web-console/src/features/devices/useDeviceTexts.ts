import { useTranslation } from 'react-i18next';
import type { Device } from '@/api/types';
import { useFormats } from '@/i18n/useFormats';

/** What of a device is plain text, by column: for paper. */
export function useDeviceTexts(): Partial<Record<string, (device: Device) => string>> {
  const { t } = useTranslation('devices');
  const formats = useFormats();
  return {
    name: ({ name }) => name,
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
