import { Radio, Stack } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useField, type FieldProps } from '@/components/form/field';
import type { Values } from '@/resource/defineResource';
import { MEMBER_ROLES } from './memberRoles';

interface RoleChoiceProps {
  label: string;
  description?: string;
  required?: boolean;
  error?: ReactNode;
  readOnly?: boolean;
  name?: string;
  ref?: Ref<HTMLInputElement>;
  onBlur?: () => void;
  value: string;
  onChange: (role: string) => void;
}

/** Chooses what somebody is to a device, and says of each what that lets them do. */
export function RoleChoice({ readOnly, ref, ...props }: RoleChoiceProps) {
  const { t } = useTranslation('deviceMembers');
  return (
    <Radio.Group {...props}>
      <Stack gap="xs" mt="2xs">
        {MEMBER_ROLES.map((role, place) => (
          <Radio
            key={role}
            ref={place === 0 ? ref : undefined}
            value={role}
            label={t(`role.${role}`)}
            description={t(`roleHelp.${role}`)}
            disabled={readOnly}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** The same as a field of a form. */
export function RoleField(props: FieldProps<Values>) {
  const { t } = useTranslation('deviceMembers');
  const { label, description, required, error, readOnly } = useField(props, (value) => {
    const role = MEMBER_ROLES.find((each) => each === value);
    return role ? t(`role.${role}`) : '';
  });
  return (
    <Controller
      control={props.form.control}
      name={props.name}
      render={({ field }) => (
        <RoleChoice
          {...field}
          value={String(field.value ?? '')}
          {...{ label, description, required, error, readOnly }}
        />
      )}
    />
  );
}
