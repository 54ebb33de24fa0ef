import { ActionIcon, Group } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useEraseDeviceMutation, useRestoreDeviceMutation } from '@/api/calls/devices';
import type { Device } from '@/api/types';
import { BusyButton } from '@/components/BusyButton';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { Danger } from '@/resource/DeleteAction';

/** What can be done about a deleted device: have it back, or erase it before its time. */
export const DeletedDeviceActs = ({ device }: { device: Device }) => (
  <Group gap="2xs" wrap="nowrap">
    <Restore device={device} />
    <EraseNow device={device} />
  </Group>
);

function Restore({ device: { id, name } }: { device: Device }) {
  const { t } = useTranslation('devices');
  const [restore] = useRestoreDeviceMutation();
  const { act, busy } = useMutationFeedback({ done: t('undo.done'), failure: t('undo.failed') });
  return (
    <BusyButton
      variant="default"
      size="compact-sm"
      busy={busy}
      aria-label={t('trash.restoreOf', { name })}
      onClick={() => !busy && void act(() => restore({ id }))}
    >
      {t('trash.restore')}
    </BusyButton>
  );
}

function EraseNow({ device: { id, name, row_version: version } }: { device: Device }) {
  const { t } = useTranslation('devices');
  const [erase] = useEraseDeviceMutation();
  return (
    <Danger
      label={t('trash.erase')}
      title={t('trash.confirmErase.title', { name })}
      text={t('trash.confirmErase.text')}
      name={name}
      done={t('trash.erased')}
      failure={t('trash.eraseFailed')}
      send={() => erase({ id, 'If-Match': String(version), eraseDeviceInput: { name } })}
      onDone={() => undefined}
    >
      {(ask) => (
        <ActionIcon variant="subtle" color="red" aria-label={t('trash.eraseOf', { name })} onClick={ask}>
          <IconTrash size={16} aria-hidden="true" />
        </ActionIcon>
      )}
    </Danger>
  );
}
