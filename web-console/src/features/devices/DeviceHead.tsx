import { Button } from '@mantine/core';
import { IconMap2, IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import type { Device } from '@/api/types';
import { CopyButton } from '@/components/CopyButton';
import { playbackPath } from '@/lib/address';
import { can } from '@/session/abilities';
import { isOtherId } from '@/lib/imei';
import { selectPerson } from '@/session/sessionSlice';
import classes from './DevicePage.module.css';
import { LiveState } from './LiveCells';
import { TestDevice } from './SetupLinks';

/** What a device is known by, and how it stands now: what somebody on the telephone asks for first. */
export function DeviceHead({ row: { id, name, vehicle_code: plate, imei } }: { row: Device }) {
  const { t } = useTranslation('devicePage');
  return (
    <div className={classes.head}>
      <LiveState deviceId={id} />
      {plate && plate !== name && <span className="tabular">{plate}</span>}
      <span className={classes.copied}>
        <span className="tabular">{t(isOtherId(imei) ? 'head.trackerId' : 'head.imei', { imei })}</span>
        <CopyButton iconOnly text={imei} label={t('head.copyImei')} />
      </span>
    </div>
  );
}

/** Where the page leads to. */
export const DeviceActs = ({ row }: { row: Device }) => (
  <>
    <TestDevice row={row} />
    <ShowOnMap row={row} />
    <ShowPlayback row={row} />
  </>
);

/** Leads to the vehicle on the map. */
function ShowOnMap({ row: { id } }: { row: Device }) {
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

/** Leads to where the vehicle was. */
function ShowPlayback({ row: { id } }: { row: Device }) {
  const { t } = useTranslation();
  if (!can('position:history', useSelector(selectPerson))) return null;
  return (
    <Button
      component={Link}
      to={playbackPath(id)}
      variant="default"
      leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
    >
      {t('nav.playback')}
    </Button>
  );
}
