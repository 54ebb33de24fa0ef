import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Device } from '@/api/types';

/** Whether the tracker has a password; which one it is nobody is told. */
export function PasswordNote({ row: device }: { row: Device | undefined }) {
  const { t } = useTranslation('devices');
  if (!device?.has_password) return null;
  return (
    <Text size="xs" c="dimmed">
      {t('password.present')}
    </Text>
  );
}
