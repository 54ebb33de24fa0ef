import { Box, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MasterDataEntry, MasterDataUsage } from '@/api/generated';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { ResourceSelect } from '@/resource/ResourceSelect';
import { useReplaceAndRemove } from './useReplaceAndRemove';
import { useUsageText } from './useUsageText';

interface InUseDialogProps {
  entry: MasterDataEntry;
  usage: MasterDataUsage;
  onClose: () => void;
  onDeleted: () => void;
}

/** Says who uses an entry, and asks what is to take its place before it is deleted. */
export function InUseDialog({ entry, usage, onClose, onDeleted }: InUseDialogProps) {
  const { t } = useTranslation('masterData');
  const { t: shared } = useTranslation('resource');
  const [replacementId, setReplacementId] = useState('');
  const { run, step, problem } = useReplaceAndRemove(entry, onDeleted);
  const name = entry.label;
  return (
    <ConfirmDialog
      opened
      destructive
      busy={step !== null}
      problem={problem}
      incomplete={replacementId === ''}
      title={shared('confirmDelete.title', { name })}
      text={useUsageText(usage)}
      confirmLabel={t('usage.confirm')}
      onCancel={onClose}
      onConfirm={() => void run(replacementId)}
    >
      <Text mt="sm">{t('usage.question', { name })}</Text>
      <Box mt="md">
        <ResourceSelect
          of="master-data"
          where={placeOf(entry)}
          tenantId={entry.tenant_id}
          except={entry.id}
          label={t('usage.replacement')}
          required
          value={replacementId}
          onChange={setReplacementId}
        />
      </Box>
      <Text role="status" size="sm" c="dimmed" mt="sm">
        {step && t(`usage.${step}`, { name })}
      </Text>
    </ConfirmDialog>
  );
}

/** Of its own kind; what all tenants use can only be replaced by what all of them have. */
const placeOf = ({ kind, tenant_id }: MasterDataEntry) => ({ kind, ...(!tenant_id && { is_own: 'false' }) });
