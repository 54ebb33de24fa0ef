import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { DayInput } from '@/components/DayInput';
import { useField, type FieldProps } from '@/components/form/field';
import { clockAt, instantOf, zoneName } from '@/i18n/timeZone';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import type { Values } from '@/resource/defineResource';
import { selectTimeZone } from '@/session/sessionSlice';
import { ClockInput } from './ClockInput';
import classes from './ShareLinks.module.css';

const HOUR_MS = 3_600_000;
/** How long people usually share, in hours. */
const PRESETS = [1, 4, 8, 24, 72, 168, 720] as const;
/** With what a new one begins. */
const USUAL = 24;

/** So near to a span from now, it is still that one: the form is filled in meanwhile. */
const NEAR_MS = 300_000;
/** Of a day of which no time has been said. */
const LAST_MINUTE = '23:59';
const dayClasses = { root: classes.day };

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

/** Until when a link holds: a time on the clocks of the tenant, or one of the usual spans from now. */
export function ExpiryField(props: FieldProps<Values>) {
  const { t } = useTranslation('shareLinks');
  const formats = useFormats();
  const zone = useSelector(selectTimeZone);
  const now = useNow();
  const { form, name } = props;
  const own = useField(props, (value) => (value ? formats.dateTime(String(value)) : ''));
  const { resetField, getValues } = form;
  useEffect(() => {
    if (!getValues(name)) resetField(name, { defaultValue: inHours(USUAL) });
  }, [getValues, resetField, name]);
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { value, onChange, ...field } }) => {
        const end = Date.parse(String(value ?? ''));
        const [day = '', time = ''] = Number.isNaN(end) ? [] : clockAt(end, zone).split('T');
        const put = (onDay: string, atTime: string) =>
          onChange(instantOf(`${onDay}T${atTime}`, zone)?.toISOString() ?? '');
        return (
          <div>
            <div className={classes.expiry}>
              <DayInput
                {...own}
                {...field}
                classNames={dayClasses}
                description={t('zone', { zone: zoneName(new Date(end || now), zone) })}
                value={day}
                onChange={(chosen) => put(chosen, time || LAST_MINUTE)}
              />
              <ClockInput
                label={t('time')}
                readOnly={own.readOnly}
                value={time && formats.hour(end)}
                onChange={(typed) => put(day, typed)}
              />
            </div>
            {!own.readOnly && (
              <div className={classes.presets} role="group" aria-label={t('presets')}>
                {PRESETS.map((hours) => {
                  const pressed = Math.abs(end - now - hours * HOUR_MS) < NEAR_MS;
                  return (
                    <Button
                      key={hours}
                      variant={pressed ? 'light' : 'default'}
                      aria-pressed={pressed}
                      size="compact-sm"
                      onClick={() => onChange(inHours(hours))}
                    >
                      {hours < 24 ? t('hours', { count: hours }) : t('days', { count: hours / 24 })}
                    </Button>
                  );
                })}
              </div>
            )}
          </div>
        );
      }}
    />
  );
}
