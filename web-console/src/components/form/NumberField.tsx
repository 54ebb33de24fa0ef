import { NumberInput } from '@mantine/core';
import { Controller, type FieldValues } from 'react-hook-form';
import { useFormats } from '@/i18n/useFormats';
import classes from './DrawerForm.module.css';
import { useField, type FieldProps } from './field';

interface NumberFieldProps<V extends FieldValues> extends FieldProps<V> {
  min?: number;
  /** Digits after the decimal point; none unless told. */
  decimals?: number;
  /** The unit, behind the number. */
  suffix?: string;
  /** Stands in it while it is empty: what holds then. */
  placeholder?: string;
}

const numberClasses = { wrapper: classes.number };

/** A number. An empty field is `''`, which the schema has to answer. */
export function NumberField<V extends FieldValues>({
  min,
  decimals = 0,
  suffix,
  placeholder,
  ...props
}: NumberFieldProps<V>) {
  const own = useField(props);
  const { separators } = useFormats();
  return (
    <Controller
      control={props.form.control}
      name={props.name}
      render={({ field }) => (
        <NumberInput
          {...own}
          {...field}
          placeholder={placeholder ?? own.placeholder}
          min={min}
          // What is too small or too large is said, not silently changed.
          clampBehavior="none"
          decimalScale={decimals}
          thousandSeparator={separators.thousands}
          decimalSeparator={separators.decimals}
          // Where a point stands between thousands, it must not begin decimals when somebody types it.
          allowedDecimalSeparators={[separators.decimals]}
          allowDecimal={decimals > 0}
          allowNegative={min === undefined || min < 0}
          suffix={suffix && ` ${suffix}`}
          hideControls
          classNames={numberClasses}
          inputMode={decimals > 0 ? 'decimal' : 'numeric'}
        />
      )}
    />
  );
}
