import { Button } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useGetDriverQuery } from '@/api/calls/drivers';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { callAddress } from './callAddress';
import classes from './CallButton.module.css';

/** Calls a driver, for those who see how drivers are reached. */
export function CallButton({ driverId }: { driverId: string }) {
  const { t } = useTranslation('drivers');
  const maySee = can('driver:list', useSelector(selectPerson));
  const { currentData: driver } = useGetDriverQuery({ id: driverId }, { skip: !maySee });
  const address = driver && callAddress(driver.phone);
  if (!driver || !address) return null;
  return (
    <Button
      component="a"
      href={address}
      variant="light"
      size="xs"
      className={classes.call}
      leftSection={<IconPhone size={16} aria-hidden="true" />}
      aria-label={t('call.named', { name: driver.name, phone: driver.phone })}
      title={driver.phone}
    >
      {t('call.label')}
    </Button>
  );
}
