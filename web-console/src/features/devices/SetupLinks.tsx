import { Anchor, Button } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import type { Device } from '@/api/types';
import { setupPath } from '@/lib/address';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';

/** Leads to the guided way for a new device. */
export const SetUpStepByStep = () => <SetUpButton to={setupPath()} />;

/** Leads from a device to where it is tried out, for those who look after it. */
export function SetUpDevice({ row: { id } }: { row: Device }) {
  const { t } = useTranslation('devices');
  if (!useMayTest()) return null;
  return (
    <Anchor component={Link} to={setupPath({ device_id: id })} size="sm" display="inline-block">
      {t('setUp')}
    </Anchor>
  );
}

/** The same as a button. */
export const TestDevice = ({ row: { id } }: { row: Device }) =>
  useMayTest() ? <SetUpButton to={setupPath({ device_id: id })} /> : null;

const useMayTest = () => mayDo('devices', 'update', useSelector(selectPerson));

function SetUpButton({ to }: { to: string }) {
  const { t } = useTranslation('devices');
  return (
    <Button component={Link} to={to} variant="default" leftSection={<IconListCheck size={16} aria-hidden="true" />}>
      {t('setUp')}
    </Button>
  );
}
