import { Switch } from '@mantine/core';
import { Controller, type FieldValues } from 'react-hook-form';
import classes from './DrawerForm.module.css';
import { useField, type FieldProps } from './field';

/** Yes or no. */
export function SwitchField<V extends FieldValues>(props: FieldProps<V>) {
  const { label, description, error, readOnly } = useField(props);
  return (
    <Controller
      control={props.form.control}
      name={props.name}
      render={({ field: { value, ...field } }) => (
        <Switch
          {...field}
          checked={Boolean(value)}
          label={label}
          description={description}
          error={error}
          disabled={readOnly}
          classNames={switchClasses}
        />
      )}
    />
  );
}

const switchClasses = { label: classes.switchLabel };
