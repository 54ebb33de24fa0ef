import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useStorageUsageQuery } from '@/api/calls/files';
import type { Document } from '@/api/generated';
import { useFormats } from '@/i18n/useFormats';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';

/** How much room there is for files: a platform owner is told once the tenant is known. */
export function StorageNote({ row }: { row: Document | undefined }) {
  const { t } = useTranslation('documents');
  const formats = useFormats();
  const ofOwner = can('platform_owner', useSelector(selectPerson));
  const tenantId = ofOwner ? row?.tenant_id : undefined;
  const skip = ofOwner && !tenantId;
  const { currentData: room } = useStorageUsageQuery({ tenantId }, { skip, refetchOnMountOrArgChange: true });
  if (room?.used_bytes === undefined) return null;
  const values = { used: formats.bytes(room.used_bytes), limit: formats.bytes(room.limit_bytes) };
  return (
    <Text size="sm" c="dimmed">
      {room.limit_bytes > 0 ? t('used', values) : t('usedUnlimited', values)}
    </Text>
  );
}
