import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useDeviceMetersQuery } from '@/api/calls/devices';
import { Address } from '@/components/address/Address';
import { CopyButton } from '@/components/CopyButton';
import { TimeAgo } from '@/components/TimeAgo';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useAlarmName } from '@/i18n/useAlarmName';
import { useFormats } from '@/i18n/useFormats';
import { writePlace } from '@/lib/coordinates';
import { useNow } from '@/lib/useNow';
import { freshness } from '@/live/freshness';
import type { LiveDevice } from '@/live/liveDevice';
import type { LivePosition } from '@/live/position';
import { activityToday } from '@/live/today';
import { vehicleState } from '@/live/vehicleState';
import { lazyPart } from '@/lib/lazyPart';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './VehicleCard.module.css';

const CallDriver = lazyPart(async () => (await import('@/components/drivers/CallDriver')).CallDriver);

/** What a vehicle does, who drives it, and what else its newest fix says; of an old one nothing that would be about now. */
export function VehicleFacts({ device }: { device: LiveDevice }) {
  const { t } = useTranslation('maps');
  const { position, driver } = device;
  return (
    <>
      <dl className={classes.facts} data-first>
        {position ? <StateFacts position={position} /> : <NoPlace device={device} />}
        {driver && (
          <Fact label={t('fact.driver')} wide>
            <span className={classes.driver}>
              {driver} <CallDriver deviceId={device.id} />
            </span>
          </Fact>
        )}
        {position && <PlaceFacts deviceId={device.id} position={position} />}
      </dl>
      {position && (
        <dl className={classes.facts}>
          <TodayFacts position={position} />
        </dl>
      )}
      {position && (
        <dl className={classes.facts}>
          <TrackerFacts device={device} position={position} />
        </dl>
      )}
    </>
  );
}

/** What it does and since when, and how fast; of one that is silent, that it is. An alarm that stands is said above, so what it does is said. */
function StateFacts({ position }: { position: LivePosition }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const now = useNow();
  const fresh = freshness(position, now);
  const since = fresh === 'fresh' ? position.motionSince : position.recordedAt;
  const does = vehicleState(position, now);
  const state = fresh === 'stale' ? t('fact.silent') : t(`state.${does}`);
  return (
    <>
      <Fact label={t('fact.state')} bare>
        <span className={classes.state}>
          <VehicleStateMark state={does} />
          {since === null ? state : t('fact.stateSince', { state, duration: formats.duration((now - since) / 1_000) })}
        </span>
      </Fact>
      {fresh === 'fresh' && does === 'moving' && (
        <Fact label={t('fact.speed')} bare>
          <span className={classes.speed}>{formats.speed(Math.round(position.speed))}</span>
        </Fact>
      )}
    </>
  );
}

function NoPlace({ device }: { device: LiveDevice }) {
  const { t } = useTranslation('maps');
  return (
    <Fact label={t('fact.state')} bare wide>
      <span className={classes.state}>
        <VehicleStateMark state={device.state} />
        {t('card.noPosition')}
      </span>
    </Fact>
  );
}

/** Where it is, and how old that is. */
function PlaceFacts({ deviceId, position }: { deviceId: string; position: LivePosition }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const moving = vehicleState(position, useNow()) === 'moving';
  return (
    <>
      <Fact label={t('fact.address')} wide>
        <Address key={deviceId} lat={position.lat} lng={position.lng} moving={moving} lines={2} />
      </Fact>
      <Fact label={t('fact.time')} wide>
        <TimeAgo at={position.recordedAt} />
        <span className={classes.exact}>{formats.dateTime(position.recordedAt)}</span>
      </Fact>
    </>
  );
}

/** What its tracker and its sensors say. */
function TrackerFacts({ device, position }: { device: LiveDevice; position: LivePosition }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const alarmName = useAlarmName();
  const isFresh = freshness(position, useNow()) === 'fresh';
  const percent = (value: number) => `${formats.number(value)} %`;
  const charge = (value: number) =>
    position.charging ? t('fact.charging', { percent: percent(value) }) : percent(value);
  const place = writePlace([position.lat, position.lng]);
  return (
    <>
      {isFresh && !device.alarms && position.alarm && <Fact label={t('fact.alarm')}>{alarmName(position.alarm)}</Fact>}
      {isFresh && position.ignition !== null && (
        <Fact label={t('fact.ignition')}>{position.ignition ? t('fact.on') : t('fact.off')}</Fact>
      )}
      <FuelFact position={position} />
      {position.odometer !== null && <Fact label={t('fact.odometer')}>{formats.distance(position.odometer)}</Fact>}
      <EngineHours deviceId={device.id} />
      {position.battery !== null && <Fact label={t('fact.battery')}>{charge(position.battery)}</Fact>}
      {position.satellites !== null && <Fact label={t('fact.satellites')}>{formats.number(position.satellites)}</Fact>}
      <Fact label={t('fact.place')} wide>
        <span className={classes.place}>
          {place} <CopyButton iconOnly text={place} label={t('card.copyPlace')} />
        </span>
      </Fact>
    </>
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

interface FactProps {
  label: string;
  /** It has a line of its own. */
  wide?: boolean;
  /** What it is, is seen without its name. */
  bare?: boolean;
  children: ReactNode;
}

function Fact({ label, wide, bare, children }: FactProps) {
  return (
    <div className={classes.fact} data-wide={wide}>
      <dt className={bare ? 'visually-hidden' : undefined}>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
