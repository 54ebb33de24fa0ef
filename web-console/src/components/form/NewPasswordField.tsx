import { PasswordInput, Progress, Text } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { useId } from 'react';
import { useWatch, type FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCommonPasswords } from '@/lib/commonPasswords';
import { passwordStrength, type PasswordStrength } from '@/lib/passwordStrength';
import { useFocusOnMount } from '@/lib/useFocusOnMount';
import { useField, type FieldProps } from './field';
import classes from './NewPasswordField.module.css';

const LOOKS: Record<PasswordStrength, { part: number; color: string }> = {
  short: { part: 10, color: 'red.8' },
  common: { part: 20, color: 'red.8' },
  personal: { part: 20, color: 'red.8' },
  weak: { part: 35, color: 'red.8' },
  fair: { part: 65, color: 'yellow.8' },
  strong: { part: 100, color: 'green.8' },
};

interface NewPasswordFieldProps<V extends FieldValues> extends FieldProps<V> {
  /** What is known of the person anyhow: name, email, company. */
  known?: string[];
}

/** A password that somebody chooses: the rules, and how good it is so far. */
export function NewPasswordField<V extends FieldValues>({ known, ...props }: NewPasswordFieldProps<V>) {
  const { t } = useTranslation();
  const field = useField({ ...props, description: t('password.rules') });
  const id = useId();
  const focused = useFocusOnMount<HTMLInputElement>();
  const { ref, ...registered } = props.form.register(props.name);
  const merged = useMergedRef(ref, props.first ? focused : undefined);
  const password = String(useWatch({ control: props.form.control, name: props.name }) ?? '');
  const strength = passwordStrength(password, known, useCommonPasswords());
  const { part, color } = LOOKS[strength];
  return (
    <>
      <PasswordInput autoComplete="new-password" {...field} {...registered} ref={merged} />
      <div className={classes.strength} hidden={password === ''}>
        <Progress value={part} color={color} size="sm" className={classes.bar} aria-labelledby={id} />
        <Text id={id} size="xs" role="status">
          {password && t(`password.strength.${strength}`)}
        </Text>
      </div>
    </>
  );
}
