import { Button, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { thresholdsApi, useUpdateThresholdsMutation } from '@/api/calls/thresholds';
import type { TenantThresholds } from '@/api/generated';
import { FormSection } from '@/components/form/FormSection';
import { MergeDialog } from '@/components/form/MergeDialog';
import { NumberField } from '@/components/form/NumberField';
import { PageForm } from '@/components/form/PageForm';
import { useUnsaved } from '@/components/unsaved';
import { useFormats } from '@/i18n/useFormats';
import type { MutationResult } from '@/lib/mutationResult';
import { inUnits } from '@/lib/perUnit';
import { perUnitOf, THRESHOLD_GROUPS, unitOf, type Threshold } from '@/lib/thresholds';
import { toastError, toastSuccess } from '@/lib/toast';
import { useEntityForm, type EntityForm } from '@/lib/useEntityForm';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Thresholds.module.css';
import { changedOf, rangeOf, thresholdsSchema, valuesOf, type ThresholdInputs, type Wrong } from './thresholdValues';

const GROUPS = Object.entries(THRESHOLD_GROUPS) as [keyof typeof THRESHOLD_GROUPS, readonly Threshold[]][];

/** The thresholds of a tenant, to be changed by who may. */
export function ThresholdsForm({ thresholds }: { thresholds: TenantThresholds }) {
  const { t } = useTranslation('thresholds');
  const formats = useFormats();
  const readOnly = !can('threshold:update', useSelector(selectPerson));
  const [base, setBase] = useState(thresholds);
  const [update] = useUpdateThresholdsMutation();
  const [load] = thresholdsApi.useLazyGetThresholdsQuery();
  const words = useCallback(
    (name: string, wrong: string) => {
      const { min, max } = rangeOf(name as Threshold);
      if ((wrong as Wrong) === 'belowStale') return t('validation.belowStale');
      const per = perUnitOf(name as Threshold);
      const shown = (limit: number) => formats.number(inUnits(limit, per), 2);
      return t('validation.range', { min: shown(min), max: shown(max) });
    },
    [t, formats],
  );
  const form = useEntityForm<TenantThresholds, ThresholdInputs>({
    schema: thresholdsSchema,
    values: valuesOf(thresholds),
    namespace: 'thresholds',
    words,
    failure: t('saveFailed'),
    readOnly,
    newest: async () => {
      const { data: theirs } = await load({ tenantId: base.tenant_id });
      if (!theirs) return void toastError(t('loadFailed'));
      return { values: valuesOf(theirs), accept: () => setBase(theirs) };
    },
    send: (values) =>
      update({
        'If-Match': String(base.row_version),
        tenantThresholdsInput: { tenant_id: base.tenant_id, ...changedOf(values, base) },
      }) as Promise<MutationResult<TenantThresholds>>,
    valuesAfter: valuesOf,
    onSaved: (saved) => {
      setBase(saved);
      toastSuccess(t('saved'));
    },
  });
  useUnsaved({ saving: form.busy, holdsChanges: form.holdsChanges, inDrawer: false });
  return (
    <div className={classes.form}>
      <PageForm form={form} submitLabel={t('save')}>
        {GROUPS.map(([group, names]) => (
          <FormSection key={group} title={t(`group.${group}`)}>
            {names.map((name) => (
              <ThresholdField key={name} form={form} name={name} usual={base.defaults[name]} />
            ))}
          </FormSection>
        ))}
      </PageForm>
      {form.conflict && <MergeDialog fields={form.conflict.fields} onDone={form.merge} />}
    </div>
  );
}

interface ThresholdFieldProps {
  form: EntityForm<ThresholdInputs>;
  name: Threshold;
  /** What holds where nobody has said anything. */
  usual: number;
}

/** One of them; where it is not as usual, what is usual and the way back to it. */
function ThresholdField({ form, name, usual }: ThresholdFieldProps) {
  const { t } = useTranslation('thresholds');
  const formats = useFormats();
  const value = useWatch({ control: form.control, name });
  const label = t(`field.${name}`);
  const unit = t(`unit.${unitOf(name)}`);
  const per = perUnitOf(name);
  const reset = () => {
    form.setValue(name, usual, { shouldDirty: true });
    form.clearErrors(name);
  };
  return (
    <div className={classes.field}>
      <NumberField form={form} name={name} label={label} description={t(`help.${name}`)} unit={unit} per={per} />
      {value !== usual && (
        <div className={classes.usual}>
          <Text size="xs" c="dimmed">
            {t('usual', { value: `${formats.number(inUnits(usual, per), 2)} ${unit}` })}
          </Text>
          {!form.readOnly && (
            <Button variant="subtle" size="compact-xs" aria-label={t('resetOf', { field: label })} onClick={reset}>
              {t('reset')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
