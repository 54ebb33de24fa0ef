import { Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NamedRows } from '@/components/NamedRows';
import { useFormats } from '@/i18n/useFormats';
import type { ManyProps } from '@/resource/defineResource';
import { ACKNOWLEDGED_AT_ONCE, AcknowledgeForm } from './AcknowledgeForm';

/** Asks before alarms are acknowledged, and for what there is to say of them. It says whose they are. */
export function AcknowledgeDialog({ opened, count, ids, names, onDone, onCancel }: ManyProps) {
  const { t } = useTranslation('alarms');
  const formats = useFormats();
  const only = count === 1 ? names?.[0] : undefined;
  const title = only
    ? t('acknowledge.ask', { name: only })
    : t('acknowledge.title', { count, formatted: formats.number(count) });
  return (
    <Modal opened={opened} onClose={onCancel} title={title} zIndex={300} size="sm">
      {count > ACKNOWLEDGED_AT_ONCE ? (
        <Text>{t('acknowledge.tooMany', { most: formats.number(ACKNOWLEDGED_AT_ONCE) })}</Text>
      ) : (
        <Stack gap="sm">
          {!only && <NamedRows names={names} />}
          <Text>{t('acknowledge.text')}</Text>
          <AcknowledgeForm count={count} ids={ids} first onDone={onDone} onCancel={onCancel} />
        </Stack>
      )}
    </Modal>
  );
}
