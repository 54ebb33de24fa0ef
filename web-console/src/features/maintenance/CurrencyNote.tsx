import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Tenant } from '@/api/types';
import type { FieldProps } from '@/components/form/field';
import { useOneQuery } from '@/resource/calls';
import type { Values } from '@/resource/defineResource';
import { selectPerson } from '@/session/sessionSlice';

/** In which currency costs are entered: that of the tenant. */
export function CurrencyNote({ form, name }: FieldProps<Values>) {
  const { t } = useTranslation('maintenance');
  const own = useSelector(selectPerson)?.tenantId;
  const named = useWatch({ control: form.control, name: 'tenant_id' }) as string | undefined;
  const tenant = useOneQuery<Tenant>('tenants', named || own || null);
  const currency = tenant.currentData?.currency;
  useEffect(() => {
    if (currency) form.setValue(name, currency);
  }, [form, name, currency]);
  return currency ? (
    <Text size="sm" c="dimmed">
      {t('currencyNote', { currency })}
    </Text>
  ) : null;
}
