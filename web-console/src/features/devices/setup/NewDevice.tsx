import { Button, Text } from '@mantine/core';
import { useMemo, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '@/api/types';
import { BusyButton } from '@/components/BusyButton';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { ErrorSummary } from '@/components/form/ErrorSummary';
import { FormTab } from '@/components/form/field';
import { useUnsaved } from '@/components/unsaved';
import { setupPath } from '@/lib/address';
import type { Resource, Values } from '@/resource/defineResource';
import { FieldInput } from '@/resource/FieldInput';
import { FormContentContext } from '@/resource/formContext';
import { useWords } from '@/resource/texts';
import { useResourceForm } from '@/resource/useResourceForm';
import devicesResource from '../devices.resource';
import { HeardPick } from './HeardPick';
import { ImeiKnown } from './ImeiKnown';
import { ModelFacts } from './ModelFacts';
import classes from './Setup.module.css';
import { SetupSteps } from './SetupSteps';
import { useSetupAddress } from './useSetupAddress';

const TRACKER = ['imei', 'tenant_id', 'gps_model_id', 'gps_brand_id', 'gps_protocol_id', 'sim_number'] as const;
const VEHICLE = [
  'name',
  'vehicle_code',
  'vehicle_model_id',
  'icon_type',
  'group_ids',
  'primary_driver_id',
  'user_id',
  'fuel_capacity',
] as const;

/** The form of devices, which goes on to the first packet. */
const RESOURCE: Resource<Device> = {
  ...devicesResource,
  // What there is to say of its IMEI stands in the next step.
  form: { ...devicesResource.form, saved: undefined },
  pathOf: ({ id }) => setupPath({ device_id: id }),
};

const noDrawer = () => undefined;

interface NewDeviceProps {
  /** Another device, whose settings it takes over. */
  like?: string;
  initial?: Values;
}

/** The tracker and its vehicle: the few fields of a device that matter on the spot. */
export function NewDevice({ like, initial }: NewDeviceProps) {
  const { t } = useTranslation('setup');
  const { imei, tenantId } = useSetupAddress();
  const words = useWords('devices');
  const known = useMemo(() => ({ ...(imei && { imei }), ...(tenantId && { tenant_id: tenantId }) }), [imei, tenantId]);
  const { form } = useResourceForm(RESOURCE, { row: undefined, known, initial, onClose: noDrawer });
  useUnsaved({ saving: form.busy, holdsChanges: form.holdsChanges, inDrawer: false });
  const step = form.tab === 'vehicle' ? 'vehicle' : 'tracker';

  const goOn = async () => {
    if (await form.trigger([...TRACKER])) return form.goTo('name');
    const wrong = TRACKER.find((name) => form.getFieldState(name).invalid);
    if (wrong) form.goTo(wrong);
  };
  const submit = (event: FormEvent) => {
    if (step === 'vehicle') return form.submit(event);
    event.preventDefault();
    void goOn();
  };
  return (
    <FormContentContext
      value={{ resource: RESOURCE as unknown as Resource, form, row: undefined, newest: undefined, words }}
    >
      <SetupSteps
        present={step}
        open={['tracker', 'vehicle']}
        onStep={(to) => (to === 'vehicle' ? void goOn() : form.showTab(to))}
      />
      <form onSubmit={submit} noValidate className={classes.form}>
        {like && <Text c="dimmed">{t('like', { name: like })}</Text>}
        <ErrorSummary form={form} />
        <Part of="tracker" present={step}>
          <FieldInput name="tenant_id" />
          <FieldInput name="imei" />
          <ImeiKnown form={form} />
          <HeardPick form={form} />
          {TRACKER.slice(2).map((name) => (
            <FieldInput key={name} name={name} />
          ))}
          <ModelFacts form={form} />
        </Part>
        <Part of="vehicle" present={step}>
          {VEHICLE.map((name) => (
            <FieldInput key={name} name={name} />
          ))}
          <Text size="sm" c="dimmed">
            {t('vehicle.rest')}
          </Text>
        </Part>
        <div className={classes.acts}>
          {step === 'tracker' ? (
            <Button type="submit">{t('next')}</Button>
          ) : (
            <>
              <Button variant="default" onClick={() => form.showTab('tracker')}>
                {t('back')}
              </Button>
              <BusyButton type="submit" busy={form.busy}>
                {t('create')}
              </BusyButton>
            </>
          )}
        </div>
      </form>
      <ConfirmDialog
        opened={form.question !== null}
        title={form.question?.title ?? ''}
        text={form.question?.text ?? ''}
        confirmLabel={t('create')}
        onConfirm={() => form.answer(true)}
        onCancel={() => form.answer(false)}
      />
    </FormContentContext>
  );
}

/** The fields of a step; those of the other one stay, with what was typed there. */
function Part({ of, present, children }: { of: 'tracker' | 'vehicle'; present: string; children: ReactNode }) {
  const { t } = useTranslation('setup');
  return (
    <section hidden={of !== present} className={classes.part} aria-label={t(`step.${of}`)}>
      <h2 className={classes.title}>{t(`heading.${of}`)}</h2>
      <FormTab value={of}>{children}</FormTab>
    </section>
  );
}
