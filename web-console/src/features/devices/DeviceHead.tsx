import { Button } from '@mantine/core';
import { IconMap2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Device } from '@/api/types';
import { CopyButton } from '@/components/CopyButton';
import classes from './DevicePage.module.css';
import { LiveState } from './LiveCells';

/** What a device is known by, and how it stands now: what somebody on the telephone asks for first. */
export function DeviceHead({ row: { id, name, vehicle_code: plate, imei } }: { row: Device }) {
  const { t } = useTranslation('devicePage');
  return (
    <div className={classes.head}>
      <LiveState deviceId={id} />
      {plate && plate !== name && <span className="tabular">{plate}</span>}
      <span className={classes.copied}>
        <span className="tabular">{t('head.imei', { imei })}</span>
        <CopyButton text={imei} label={t('head.copyImei')} />
      </span>
    </div>
  );
}

/** Leads to the vehicle on the map. */
export function ShowOnMap({ row: { id } }: { row: Device }) {
  const { t } = useTranslation('devicePage');
  return (
    <Button
      component={Link}
      to={`/maps?device_id=${encodeURIComponent(id)}`}
      variant="default"
      leftSection={<IconMap2 size={16} aria-hidden="true" />}
    >
      {t('head.map')}
    </Button>
  );
}
