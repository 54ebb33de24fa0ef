import { useTranslation } from 'react-i18next';
import type { TrackPoint } from '@/api/generated';
import { useAlarmName } from '@/i18n/useAlarmName';
import { useFormats } from '@/i18n/useFormats';
import { givenMark } from '@/lib/fixMarks';
import { Fact, Facts } from './Facts';

/** One thing that a fix says. */
interface FixFact {
  key: string;
  label: string;
  value: string;
}

/** Everything that a fix says, with its units, as the language writes them; what it does not say is left out. */
export function FixFacts({ fix }: { fix: TrackPoint }) {
  return (
    <Facts>
      {useFixFacts(fix).map(({ key, label, value }) => (
        <Fact key={key} label={label}>
          {value}
        </Fact>
      ))}
    </Facts>
  );
}

function useFixFacts(fix: TrackPoint): FixFact[] {
  const { t } = useTranslation(['devicePage', 'devices']);
  const formats = useFormats();
  const alarmName = useAlarmName();
  const percent = (value: number) => `${formats.number(value)} %`;
  const yesNo = (value: boolean) => t(value ? 'yes' : 'no');
  const facts: FixFact[] = [];
  type Name = 'recorded_at' | 'place' | 'speed' | 'course' | 'alt' | 'sat' | 'valid' | 'motion' | 'motion_since';
  type Meter = 'odometer' | 'engine_seconds' | 'fuel_liter' | 'fuel_percent' | 'batt_percent' | 'gsm_signal';
  /** Adds what is there. */
  function add<T>(
    name: Name | Meter | 'ignition' | 'charge' | 'alarm' | 'mark',
    value: T | undefined,
    write: (value: T) => string,
  ) {
    if (value !== undefined) facts.push({ key: name, label: t(`field.${name}`), value: write(value) });
  }
  add('recorded_at', fix.recorded_at, formats.dateTime);
  add('place', fix, ({ lat, lng }) => `${lat.toFixed(7)}, ${lng.toFixed(7)}`);
  add('valid', fix.valid, (valid) => t(valid ? 'valid.yes' : 'valid.no'));
  add('mark', givenMark(fix.mark), (mark) => t(`mark.${mark}`));
  add('speed', fix.speed, (speed) => t('kilometresPerHour', { formatted: formats.number(speed, 1) }));
  add('course', fix.course, (course) => `${formats.number(course, 1)}°`);
  add('alt', fix.alt, (alt) => `${formats.number(alt, 1)} m`);
  add('sat', fix.sat, (sat) => formats.number(sat));
  add('gsm_signal', fix.gsm_signal, percent);
  add('ignition', fix.ignition, (on) => t(on ? 'on' : 'off'));
  add('alarm', fix.alarm, alarmName);
  add('odometer', fix.odometer, formats.distance);
  add('engine_seconds', fix.engine_seconds, formats.duration);
  add('fuel_liter', fix.fuel_liter, (litres) => t('litres', { formatted: formats.number(litres, 1) }));
  add('fuel_percent', fix.fuel_percent, percent);
  add('batt_percent', fix.batt_percent, percent);
  add('charge', fix.charge, yesNo);
  if (fix.motion !== 'unspecified') add('motion', fix.motion, (motion) => t(`devices:live.${motion}`));
  add('motion_since', fix.motion_since, formats.dateTime);
  // What no field is for is called as the tracker calls it.
  for (const [name, value] of Object.entries(fix.attrs ?? {}))
    facts.push({ key: `attrs ${name}`, label: name, value: typeof value === 'string' ? value : JSON.stringify(value) });
  return facts;
}
