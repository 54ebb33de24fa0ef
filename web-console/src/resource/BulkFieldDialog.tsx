import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DirectResult } from '@/api/direct';
import { BusyButton } from '@/components/BusyButton';
import { ErrorSummary } from '@/components/form/ErrorSummary';
import type { MutationResult } from '@/lib/mutationResult';
import { useEntityForm } from '@/lib/useEntityForm';
import type { Resource, Values } from './defineResource';
import { FieldInput } from './FieldInput';
import type { Field } from './fields';
import { FormContentContext } from './formContext';
import type { Job } from './jobs';
import { REGISTRY } from './registry';
import { schemaOf } from './schema';
import { useWords } from './texts';
import { wrongText } from './useResourceForm';
import { inputOf, valuesOf } from './values';

interface BulkFieldDialogProps {
  opened: boolean;
  resource: Resource;
  /** The field that is given one value in all of the chosen things. */
  name: string;
  title: string;
  text: string;
  label: string;
  send: (update: Values) => Promise<DirectResult<Job>>;
  onStarted: (job: Job) => void;
  onCancel: () => void;
}

/** Asks for the value of one field before that is changed in many things. */
export function BulkFieldDialog(props: BulkFieldDialogProps) {
  return (
    <Modal opened={props.opened} onClose={props.onCancel} title={props.title} size="sm">
      <Question {...props} />
    </Modal>
  );
}

/** A resource that has this field alone, which must be filled in. */
function onlyOf(resource: Resource, name: string): Resource {
  const field = resource.fields[name] as Field;
  const asked = { ...field, form: { ...field.form, required: true, only: undefined, initial: undefined } };
  return { ...resource, fields: { [name]: asked as never }, form: undefined };
}

/** Apart from the dialog, so that each question begins with an empty field. */
function Question({ resource, name, text, label, send, onStarted, onCancel }: BulkFieldDialogProps) {
  const { t: common } = useTranslation();
  const words = useWords(resource.key);
  const { t, has, formats } = words;
  const only = useMemo(() => onlyOf(resource, name), [resource, name]);
  const form = useEntityForm<Job, Values>({
    schema: schemaOf(only, true, () => true),
    values: valuesOf(only, undefined),
    namespace: REGISTRY[resource.key].namespace,
    words: (of, message) => wrongText(of, message, t, has, (value) => formats.number(value)),
    failure: t('bulk.failed'),
    send: async (values) => (await send(inputOf(only, values, undefined))) as MutationResult<Job>,
    onSaved: onStarted,
  });
  return (
    <FormContentContext value={{ resource: only, form, row: undefined, newest: undefined, words }}>
      <form
        noValidate
        onSubmit={(event) => {
          // It stands over a list, which may be part of a form.
          event.stopPropagation();
          form.submit(event);
        }}
      >
        <Stack>
          <Text>{text}</Text>
          <ErrorSummary form={form} />
          <FieldInput name={name} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onCancel} disabled={form.busy}>
              {common('action.cancel')}
            </Button>
            <BusyButton type="submit" busy={form.busy}>
              {label}
            </BusyButton>
          </Group>
        </Stack>
      </form>
    </FormContentContext>
  );
}
