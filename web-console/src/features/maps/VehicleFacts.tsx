import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useDeviceMetersQuery } from '@/api/calls/devices';
import { Address } from '@/components/address/Address';
import { CopyButton } from '@/components/CopyButton';
import { TimeAgo } from '@/components/TimeAgo';
import { useAlarmName } from '@/i18n/useAlarmName';
import { useFormats } from '@/i18n/useFormats';
import { writePlace } from '@/lib/coordinates';
import { useNow } from '@/lib/useNow';
import { freshness } from '@/live/freshness';
import type { LiveDevice } from '@/live/liveDevice';
import type { LivePosition } from '@/live/position';
import { activityToday } from '@/live/today';
import { vehicleState } from '@/live/vehicleState';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './VehicleCard.module.css';

interface VehicleFactsProps {
  device: LiveDevice;
  position: LivePosition;
}

/** What the newest fix says; of an old one nothing that would be about now. */
export function VehicleFacts({ device, position }: VehicleFactsProps) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const alarmName = useAlarmName();
  const now = useNow();
  const isFresh = freshness(position, now) === 'fresh';
  const moving = vehicleState({ ...position, alarms: [] }, now) === 'moving';
  const percent = (value: number) => `${formats.number(value)} %`;
  const charge = (value: number) =>
    position.charging ? t('fact.charging', { percent: percent(value) }) : percent(value);
  const { name, vehicleCode, driver } = device;
  const place = writePlace([position.lat, position.lng]);
  return (
    <dl className={classes.facts}>
      {isFresh && !position.alarms && position.alarm && (
        <Fact label={t('fact.alarm')}>{alarmName(position.alarm)}</Fact>
      )}
      <StateFact position={position} />
      {isFresh && <Fact label={t('fact.speed')}>{formats.speed(position.speed)}</Fact>}
      {vehicleCode && vehicleCode !== name && <Fact label={t('fact.plate')}>{vehicleCode}</Fact>}
      {driver && <Fact label={t('fact.driver')}>{driver}</Fact>}
      {isFresh && position.ignition !== null && (
        <Fact label={t('fact.ignition')}>{position.ignition ? t('fact.on') : t('fact.off')}</Fact>
      )}
      {position.battery !== null && <Fact label={t('fact.battery')}>{charge(position.battery)}</Fact>}
      <FuelFact position={position} />
      {position.odometer !== null && <Fact label={t('fact.odometer')}>{formats.distance(position.odometer)}</Fact>}
      <EngineHours deviceId={device.id} />
      {position.satellites !== null && <Fact label={t('fact.satellites')}>{formats.number(position.satellites)}</Fact>}
      <Fact label={t('fact.time')} wide>
        <TimeAgo at={position.recordedAt} />
        <span className={classes.exact}>{formats.dateTime(position.recordedAt)}</span>
      </Fact>
      <Fact label={t('fact.address')} wide>
        <Address key={device.id} lat={position.lat} lng={position.lng} moving={moving} lines={2} />
      </Fact>
      <Fact label={t('fact.place')} wide>
        <span className={classes.place}>
          {place} <CopyButton iconOnly text={place} label={t('card.copyPlace')} />
        </span>
      </Fact>
      <TodayFacts position={position} />
    </dl>
  );
}

/** What it does and since when; of one that is silent, that it is. An alarm that stands is said above, so what it does is said. */
function StateFact({ position }: { position: LivePosition }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const now = useNow();
  const fresh = freshness(position, now);
  const since = fresh === 'fresh' ? position.motionSince : position.recordedAt;
  const state = fresh === 'stale' ? t('fact.silent') : t(`state.${vehicleState({ ...position, alarms: [] }, now)}`);
  return (
    <Fact label={t('fact.state')}>
      {since === null ? state : t('fact.stateSince', { state, duration: formats.duration((now - since) / 1_000) })}
    </Fact>
  );
}

/** What is in its tank, as far as its tracker or sensor says it. */
function FuelFact({ position: { fuelLitres, fuelPercent } }: { position: LivePosition }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const percent = fuelPercent === null ? null : `${formats.number(fuelPercent)} %`;
  const litres = fuelLitres === undefined ? null : t('fact.litres', { formatted: formats.number(fuelLitres) });
  if (litres === null && percent === null) return null;
  const both = litres !== null && percent !== null;
  return (
    <Fact label={t('fact.fuel')}>{both ? t('fact.litresPercent', { litres, percent }) : (litres ?? percent)}</Fact>
  );
}

/** What it has come to since midnight. */
function TodayFacts({ position }: { position: LivePosition }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const today = activityToday(position, useNow());
  if (!today) return null;
  return (
    <>
      <Fact label={t('fact.todayDistance')}>{formats.distance(today.distance)}</Fact>
      {today.engine !== null && <Fact label={t('fact.todayEngine')}>{formats.duration(today.engine)}</Fact>}
      <Fact label={t('fact.todayMoving')}>{formats.duration(today.moving)}</Fact>
      <Fact label={t('fact.todayIdle')}>{formats.duration(today.idle)}</Fact>
      <Fact label={t('fact.todayParked')}>{formats.duration(today.parked)}</Fact>
    </>
  );
}

/** They come with no fix: fleet hears of them once a minute. */
function EngineHours({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const maySee = can('device:list', useSelector(selectPerson));
  const { currentData } = useDeviceMetersQuery({ id: deviceId }, { skip: !maySee });
  const seconds = currentData?.engine_seconds;
  if (typeof seconds !== 'number') return null;
  return <Fact label={t('fact.engineHours')}>{t('fact.hours', { hours: formats.number(seconds / 3_600, 1) })}</Fact>;
}

function Fact({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={classes.fact} data-wide={wide}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
