import { Button, TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useField, type FieldProps } from '@/components/form/field';
import { clockAt, instantOf, zoneName } from '@/i18n/timeZone';
import { useFormats } from '@/i18n/useFormats';
import { useNow } from '@/lib/useNow';
import type { Values } from '@/resource/defineResource';
import { selectTimeZone } from '@/session/sessionSlice';
import classes from './ShareLinks.module.css';

const HOUR_MS = 3_600_000;
/** How long people usually share, in hours. */
const PRESETS = [1, 4, 8, 24, 72, 168, 720] as const;
/** With what a new one begins. */
const USUAL = 24;

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
        return (
          <div>
            <TextInput
              {...own}
              {...field}
              type="datetime-local"
              description={t('zone', { zone: zoneName(new Date(end || now), zone) })}
              value={Number.isNaN(end) ? '' : clockAt(end, zone)}
              onChange={(event) => onChange(instantOf(event.currentTarget.value, zone)?.toISOString() ?? '')}
            />
            {!own.readOnly && (
              <div className={classes.presets} role="group" aria-label={t('presets')}>
                {PRESETS.map((hours) => (
                  <Button key={hours} variant="default" size="compact-sm" onClick={() => onChange(inHours(hours))}>
                    {hours < 24 ? t('hours', { count: hours }) : t('days', { count: hours / 24 })}
                  </Button>
                ))}
              </div>
            )}
          </div>
        );
      }}
    />
  );
}
