import { useTranslation } from 'react-i18next';
import { CopyButton } from '@/components/CopyButton';
import { Fact, Facts } from '@/components/Facts';
import { useFormats } from '@/i18n/useFormats';
import { writePlace } from '@/lib/coordinates';
import { useLivePosition } from '@/live/useLive';
import classes from './DevicePage.module.css';
import { useNewestFix } from './useNewestFix';

/** What a tracker says. What the live socket leaves out comes from its newest fix, for those who see history. */
export function LiveFacts({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('devicePage');
  const formats = useFormats();
  const position = useLivePosition(deviceId);
  const { fix } = useNewestFix(deviceId);
  if (!position) return null;
  const place = writePlace([position.lat, position.lng]);
  const { ignition, battery, satellites, fuelPercent, odometer } = position;
  const percent = (value: number) => `${formats.number(value)} %`;
  const litres = position.fuelLitres ?? fix?.fuel_liter;
  return (
    <Facts>
      <Fact label={t('field.ignition')}>{ignition !== null && t(ignition ? 'on' : 'off')}</Fact>
      {fuelPercent !== null && <Fact label={t('field.fuel_percent')}>{percent(fuelPercent)}</Fact>}
      {litres !== undefined && (
        <Fact label={t('field.fuel_liter')}>{t('litres', { formatted: formats.number(litres, 1) })}</Fact>
      )}
      {odometer !== null && <Fact label={t('field.odometer')}>{formats.distance(odometer)}</Fact>}
      <Fact label={t('field.batt_percent')}>
        {battery !== null && (position.charging ? t('live.charging', { percent: percent(battery) }) : percent(battery))}
      </Fact>
      <Fact label={t('field.gsm_signal')}>{fix?.gsm_signal !== undefined && percent(fix.gsm_signal)}</Fact>
      <Fact label={t('field.sat')}>{satellites !== null && formats.number(satellites)}</Fact>
      <Fact label={t('field.place')}>
        <span className={classes.copied}>
          <span className="tabular">{place}</span>
          <CopyButton iconOnly text={place} label={t('live.copyPlace')} />
        </span>
      </Fact>
    </Facts>
  );
}
