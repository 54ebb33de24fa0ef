import { Controller, type FieldValues } from 'react-hook-form';
import { NumberEntry } from '../NumberEntry';
import classes from './DrawerForm.module.css';
import { useField, type FieldProps } from './field';

interface NumberFieldProps<V extends FieldValues> extends FieldProps<V> {
  /** Digits after the decimal point; none unless told. */
  decimals?: number;
  /** The unit, behind the number. */
  unit?: string;
  /** Stands in it while it is empty: what holds then. */
  placeholder?: string;
}

const numberClasses = { wrapper: classes.number };

/** A number. An empty field is `''`, which the schema has to answer. */
export function NumberField<V extends FieldValues>({ decimals = 0, unit, placeholder, ...props }: NumberFieldProps<V>) {
  const own = useField(props);
  return (
    <Controller
      control={props.form.control}
      name={props.name}
      render={({ field }) => (
        <NumberEntry
          {...own}
          {...field}
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
