import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Address } from '@/components/address/Address';
import { CopyButton } from '@/components/CopyButton';
import { Fact, Facts } from '@/components/Facts';
import { TimeAgo } from '@/components/TimeAgo';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import { useLivePosition } from '@/live/useLive';
import { vehicleState } from '@/live/vehicleState';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './DevicePage.module.css';
import { useNewestFix } from './useNewestFix';

/** What a vehicle does now. What the live socket leaves out comes from its newest fix, for those who see history. */
export function LiveFacts({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation(['devicePage', 'devices']);
  const formats = useFormats();
  const now = useNow();
  const position = useLivePosition(deviceId);
  const mayWatch = can('position:live', useSelector(selectPerson));
  const { fix } = useNewestFix(deviceId);
  if (!mayWatch) return <Text c="dimmed">{t('live.forbidden')}</Text>;
  if (!position) return <Text c="dimmed">{t('live.none')}</Text>;
  const place = `${position.lat.toFixed(6)}, ${position.lng.toFixed(6)}`;
  const { ignition, battery, satellites, motionSince, fuelPercent, odometer } = position;
  const percent = (value: number) => `${formats.number(value)} %`;
  const litres = position.fuelLitres ?? fix?.fuel_liter;
  const state = vehicleState(position, now);
  return (
    <Facts>
      <Fact label={t('field.state')}>{t(`devices:live.${state}`)}</Fact>
      <Fact label={t('field.since')}>
        {motionSince !== null &&
          t('live.since', {
            time: formats.dateTime(motionSince),
            duration: formats.duration((now - motionSince) / 1000),
          })}
      </Fact>
      <Fact label={t('field.speed')}>{formats.speed(position.speed)}</Fact>
      <Fact label={t('field.address')}>
        <Address key={deviceId} lat={position.lat} lng={position.lng} moving={state === 'moving'} lines={2} />
      </Fact>
      <Fact label={t('field.place')}>
        <span className={classes.copied}>
          <span className="tabular">{place}</span>
          <CopyButton iconOnly text={place} label={t('live.copyPlace')} />
        </span>
      </Fact>
      <Fact label={t('field.ignition')}>{ignition !== null && t(ignition ? 'on' : 'off')}</Fact>
      <Fact label={t('field.batt_percent')}>
        {battery !== null && (position.charging ? t('live.charging', { percent: percent(battery) }) : percent(battery))}
      </Fact>
      <Fact label={t('field.gsm_signal')}>{fix?.gsm_signal !== undefined && percent(fix.gsm_signal)}</Fact>
      <Fact label={t('field.sat')}>{satellites !== null && formats.number(satellites)}</Fact>
      {fuelPercent !== null && <Fact label={t('field.fuel_percent')}>{percent(fuelPercent)}</Fact>}
      {litres !== undefined && (
        <Fact label={t('field.fuel_liter')}>{t('litres', { formatted: formats.number(litres, 1) })}</Fact>
      )}
      {odometer !== null && <Fact label={t('field.odometer')}>{formats.distance(odometer)}</Fact>}
      <Fact label={t('field.heard')}>
        <TimeAgo at={position.recordedAt} /> · {formats.dateTime(position.recordedAt)}
      </Fact>
    </Facts>
  );
}
