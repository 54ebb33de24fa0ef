import { Text } from '@mantine/core';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useGetThresholdsQuery } from '@/api/calls/thresholds';
import type { Device } from '@/api/types';
import { NumberField } from '@/components/form/NumberField';
import type { FieldProps } from '@/components/form/field';
import { useFormats } from '@/i18n/useFormats';
import { inUnits } from '@/lib/perUnit';
import { perUnitOf, unitOf, type Threshold } from '@/lib/thresholds';
import type { Values } from '@/resource/defineResource';
import { useFormContext } from '@/resource/formContext';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';

/** A threshold that a device may have for itself; while it has none, that of its tenant stands in the empty field. */
export function ThresholdInput(props: FieldProps<Values>) {
  const { t } = useTranslation('devices');
  const formats = useFormats();
  const name = props.name as Threshold;
  const unit = t(`unit.${unitOf(name)}`);
  const per = perUnitOf(name);
  const usual = useTenantThresholds(props)?.[name];
  const placeholder = usual === undefined ? undefined : formats.number(inUnits(usual, per), 2);
  return <NumberField {...props} unit={unit} per={per} placeholder={placeholder} />;
}

/** Those of the device's tenant, for who may see them. */
function useTenantThresholds({ form }: FieldProps<Values>) {
  const row = useFormContext().row as Device | undefined;
  const chosen = useWatch({ control: form.control, name: 'tenant_id' }) as string | undefined;
  const person = useSelector(selectPerson);
  const tenantId = can('platform_owner', person) ? row?.tenant_id || chosen : undefined;
  const skip = !can('threshold:list', person) || (can('platform_owner', person) && !tenantId);
  return useGetThresholdsQuery({ tenantId }, { skip }).currentData;
}

/** What an empty field means. */
export function ThresholdsNote() {
  const { t } = useTranslation('devices');
  return (
    <Text size="xs" c="dimmed">
      {t('thresholds.note')}
    </Text>
  );
}
