import { Switch } from '@mantine/core';
import { Controller, type FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import classes from './DrawerForm.module.css';
import { useField, type FieldProps } from './field';

/** Yes or no. */
export function SwitchField<V extends FieldValues>(props: FieldProps<V>) {
  const { t } = useTranslation();
  const words = (on: unknown) => (on ? t('form.yes') : t('form.no'));
  const { label, description, error, readOnly } = useField(props, words);
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
