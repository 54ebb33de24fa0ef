import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import { commandsApi } from '@/api/calls/commands';
import type { Dispatch } from '@/api/direct';
import type { SentCommandList } from '@/api/generated';
import { BusyButton } from '@/components/BusyButton';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { ErrorSummary } from '@/components/form/ErrorSummary';
import { NamedRows } from '@/components/NamedRows';
import { useFormats } from '@/i18n/useFormats';
import type { MutationResult } from '@/lib/mutationResult';
import { useEntityForm } from '@/lib/useEntityForm';
import type { ManyProps, Resource, Values } from '@/resource/defineResource';
import { FieldInput } from '@/resource/FieldInput';
import type { Field } from '@/resource/fields';
import { FormContentContext } from '@/resource/formContext';
import { loadResource } from '@/resource/loadResource';
import { schemaOf } from '@/resource/schema';
import { useWords } from '@/resource/texts';
import { wrongText } from '@/resource/useResourceForm';
import { formFields, inputOf, valuesOf } from '@/resource/values';
import { sendOnce } from './commandInput';
import { SentReport } from './SentReport';

/** To so many devices one request goes. */
const PAGE_MAX = 500;

/** Sends one command to many devices, and tells what became of each. */
export function SendToMany(props: ManyProps) {
  const { t } = useTranslation('commands');
  const formats = useFormats();
  const words = { count: props.count, formatted: formats.number(props.count) };
  return (
    <Modal opened={props.opened} onClose={props.onCancel} title={t('many.title', words)} size="md">
      <Content {...props} />
    </Modal>
  );
}

/** Apart from the dialog, so that each time begins with an empty form. */
function Content(props: ManyProps) {
  const { t } = useTranslation('commands');
  const formats = useFormats();
  const [resource, setResource] = useState<Resource | null>(null);
  const [report, setReport] = useState<SentCommandList | null>(null);
  useEffect(() => {
    let gone = false;
    void loadResource('commands').then((loaded) => {
      if (!gone) setResource(withoutDevice(loaded));
    });
    return () => {
      gone = true;
    };
  }, []);
  if (props.count > PAGE_MAX) return <Text>{t('many.tooMany', { most: formats.number(PAGE_MAX) })}</Text>;
  if (report) return <SentReport report={report} onDone={props.onDone} />;
  return resource && <CommandForm {...props} resource={resource} onSent={setReport} />;
}

/** The form of a command but for the question to which device. */
function withoutDevice(resource: Resource): Resource {
  const fields = formFields(resource).filter(([name]) => name !== 'device_id');
  return { ...resource, fields: Object.fromEntries(fields) as Resource['fields'] };
}

function CommandForm({
  resource,
  count,
  ids,
  names,
  onSent,
  onCancel,
}: ManyProps & { resource: Resource; onSent: (report: SentCommandList) => void }) {
  const { t: common } = useTranslation();
  const words = useWords('commands');
  const { t, has, formats } = words;
  const dispatch = useDispatch<Dispatch>();
  const schema = useMemo(() => schemaOf(resource, true, (field: Field) => field.form !== undefined), [resource]);
  const form = useEntityForm<SentCommandList, Values>({
    schema,
    values: valuesOf(resource, undefined),
    namespace: 'commands',
    words: (name, message) => wrongText(name, message, t, has, (value) => formats.number(value)),
    failure: t('saveFailed'),
    question: (values) => resource.form?.question?.({ ...values, count }, undefined, t, formats),
    send: async (values) => {
      const { data: devices, error } = await ids(PAGE_MAX);
      if (!devices) return { error };
      const send = commandsApi.endpoints.sendCommands;
      return (await sendOnce(devices, inputOf(resource, values, undefined), (command) =>
        dispatch(send.initiate({ sendCommandsRequest: { device_ids: devices, command } })),
      )) as MutationResult<SentCommandList>;
    },
    onSaved: onSent,
  });
  return (
    <FormContentContext value={{ resource, form, row: undefined, newest: undefined, words }}>
      <form
        noValidate
        onSubmit={(event) => {
          // It stands over a list, which may be part of a form.
          event.stopPropagation();
          form.submit(event);
        }}
      >
        <Stack>
          <NamedRows names={names} />
          <ErrorSummary form={form} />
          {formFields(resource).map(([name]) => (
            <FieldInput key={name} name={name} />
          ))}
          <Alert variant="outline">{t('many.text')}</Alert>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onCancel} disabled={form.busy}>
              {common('action.cancel')}
            </Button>
            <BusyButton type="submit" busy={form.busy}>
              {t('create')}
            </BusyButton>
          </Group>
        </Stack>
      </form>
      <ConfirmDialog
        opened={form.question !== null}
        title={form.question?.title ?? ''}
        text={form.question?.text ?? ''}
        confirmLabel={form.question?.confirm ?? common('action.save')}
        destructive
        onConfirm={() => form.answer(true)}
        onCancel={() => form.answer(false)}
      >
        <NamedRows names={names} />
      </ConfirmDialog>
    </FormContentContext>
  );
}
