import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Device } from '@/api/types';
import { CallButton } from '@/components/drivers/CallButton';
import { useStackedDrawers } from '@/lib/drawerParam';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import classes from './DevicePage.module.css';

/** Who drives a vehicle, and how they are reached. */
export function PresentDriver({ device: { primary_driver: name, primary_driver_id: id } }: { device: Device }) {
  const { t } = useTranslation('devicePage');
  const { open } = useStackedDrawers();
  const mayOpen = mayDo('drivers', 'list', useSelector(selectPerson));
  if (!name) return <Text c="dimmed">{t('driver.none')}</Text>;
  if (!id || !mayOpen) return <Text>{name}</Text>;
  return (
    <div className={classes.line}>
      <Anchor component="button" type="button" ta="start" onClick={() => open('drivers', id)}>
        {name}
      </Anchor>
      <CallButton driverId={id} />
    </div>
  );
}
