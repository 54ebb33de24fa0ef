import { Controller, type FieldValues } from 'react-hook-form';
import { useFormats } from '@/i18n/useFormats';
import { DayInput } from '../DayInput';
import { useField, type FieldProps } from './field';

/** A day, `2026-11-21`; empty for none. */
export function DateField<V extends FieldValues>({ clearable, ...props }: FieldProps<V> & { clearable?: boolean }) {
  const formats = useFormats();
  const own = useField(props, (day) => (day ? formats.date(String(day)) : ''));
  return (
    <Controller
      control={props.form.control}
      name={props.name}
      render={({ field }) => <DayInput {...own} {...field} clearable={clearable && !own.readOnly} />}
    />
  );
}
