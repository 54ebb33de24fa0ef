import { Anchor, Button } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import type { Device } from '@/api/types';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import { setupPath } from './setup/useSetupAddress';

/** Leads to the guided way for a new device. */
export function SetUpStepByStep() {
  const { t } = useTranslation('devices');
  return (
    <Button
      component={Link}
      to={setupPath()}
      variant="default"
      leftSection={<IconListCheck size={16} aria-hidden="true" />}
    >
      {t('setUp')}
    </Button>
  );
}

/** Leads from a device to where it is tried out, for those who look after it. */
export function SetUpDevice({ row: { id } }: { row: Device }) {
  const { t } = useTranslation('devices');
  if (!mayDo('devices', 'update', useSelector(selectPerson))) return null;
  return (
    <Anchor component={Link} to={setupPath({ device_id: id })} size="sm">
      {t('setUp')}
    </Anchor>
  );
}

/** The same as a button. */
export function TestDevice({ row: { id } }: { row: Device }) {
  const { t } = useTranslation('devices');
  if (!mayDo('devices', 'update', useSelector(selectPerson))) return null;
  return (
    <Button
      component={Link}
      to={setupPath({ device_id: id })}
      variant="default"
      leftSection={<IconListCheck size={16} aria-hidden="true" />}
    >
      {t('setUp')}
    </Button>
  );
}
