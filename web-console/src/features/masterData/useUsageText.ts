import { useTranslation } from 'react-i18next';
import type { MasterDataUsage } from '@/api/generated';
import { useFormats } from '@/i18n/useFormats';

/** Who uses an entry, in words: how many, and how the first of them are called. */
export function useUsageText({ devices, entries, names }: MasterDataUsage): string {
  const { t } = useTranslation('masterData');
  const formats = useFormats();
  const count = (key: 'usage.devices' | 'usage.entries', number: number) =>
    t(key, { count: number, formatted: formats.number(number) });
  const users =
    devices > 0 && entries > 0
      ? t('usage.both', { devices: count('usage.devices', devices), entries: count('usage.entries', entries) })
      : devices > 0
        ? count('usage.devices', devices)
        : count('usage.entries', entries);
  if (names.length === 0) return t('usage.text', { users });
  const more = devices + entries > names.length ? ['…'] : [];
  return t('usage.named', { users, names: [...names, ...more].join(', ') });
}
