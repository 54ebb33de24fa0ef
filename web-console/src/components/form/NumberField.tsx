import { Controller, type FieldValues } from 'react-hook-form';
import { useFormats } from '@/i18n/useFormats';
import { fromUnits, inUnits } from '@/lib/perUnit';
import { NumberEntry } from '../NumberEntry';
import classes from './DrawerForm.module.css';
import { plainWords, useField, type FieldProps } from './field';

interface NumberFieldProps<V extends FieldValues> extends FieldProps<V> {
  /** Digits after the decimal point; none unless told. */
  decimals?: number;
  /** The unit, behind the number. */
  unit?: string;
  /** How many of what the form counts are one of the unit, e.g. 60 where it counts seconds and shows minutes. */
  per?: number;
  /** Stands in it while it is empty: what holds then. */
  placeholder?: string;
}

const numberClasses = { wrapper: classes.number };

/** A number. An empty field is `''`, which the schema has to answer. */
export function NumberField<V extends FieldValues>({
  per = 1,
  decimals = per === 1 ? 0 : 2,
  unit,
  placeholder,
  ...props
}: NumberFieldProps<V>) {
  const { number } = useFormats();
  const shown = (value: number | string) => (typeof value === 'number' && per !== 1 ? inUnits(value, per) : value);
  const own = useField(props, (value) => {
    const written = shown(value as number | string);
    return per !== 1 && typeof written === 'number' ? number(written, decimals) : plainWords(written);
  });
  return (
    <Controller
      control={props.form.control}
      name={props.name}
      render={({ field }) => (
        <NumberEntry
          {...own}
          {...field}
          value={shown(field.value as number | string)}
          onChange={(value) => field.onChange(per !== 1 && typeof value === 'number' ? fromUnits(value, per) : value)}
          // What is too small or too large is said by the form, not silently changed.
          decimals={decimals}
          unit={unit}
          placeholder={placeholder ?? own.placeholder}
          classNames={numberClasses}
        />
      )}
    />
  );
}
