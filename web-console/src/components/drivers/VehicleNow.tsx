import { useTranslation } from 'react-i18next';
import { Address } from '@/components/address/Address';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { freshness } from '@/live/freshness';
import { useLiveDevice } from '@/live/useLive';
import classes from './VehicleNow.module.css';

/** What a vehicle does now and where, in two lines, for who may see it. */
export function VehicleNow({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('devices');
  const formats = useFormats();
  const now = useNow();
  const device = useLiveDevice(deviceId);
  if (!device) return null;
  const { state, position } = device;
  const isMoving = position?.motion === 'moving' && freshness(position, now) === 'fresh';
  return (
    <>
      <p className={classes.state}>
        <VehicleStateMark state={state} />
        {t(`live.${state}`)}
        {isMoving && <span className={classes.speed}>{formats.speed(Math.round(position.speed))}</span>}
      </p>
      {position && (
        <Address key={deviceId} lat={position.lat} lng={position.lng} moving={state === 'moving'} lines={2} />
      )}
    </>
  );
}
