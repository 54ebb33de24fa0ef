import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useAcknowledgeAlarmsMutation } from '@/api/calls/alarms';
import { BusyButton } from '@/components/BusyButton';
import { useUnsaved } from '@/components/unsaved';
import { useFormats } from '@/i18n/useFormats';
import type { MutationResult } from '@/lib/mutationResult';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import type { ManyProps } from '@/resource/defineResource';

/** So many go in one request. */
const PAGE_MAX = 500;
const NOTE_MAX = 500;

/** Asks before alarms are acknowledged, and for what there is to say of them. */
export function AcknowledgeDialog(props: ManyProps) {
  const { t } = useTranslation('alarms');
  const formats = useFormats();
  const words = { count: props.count, formatted: formats.number(props.count) };
  return (
    <Modal opened={props.opened} onClose={props.onCancel} title={t('acknowledge.title', words)} zIndex={300} size="sm">
      {props.count > PAGE_MAX ? (
        <Text>{t('acknowledge.tooMany', { most: formats.number(PAGE_MAX) })}</Text>
      ) : (
        <Note {...props} done={t('acknowledge.done', words)} />
      )}
    </Modal>
  );
}

/** Apart from the dialog, so that each time begins with an empty note. */
function Note({ ids, done, onDone, onCancel }: ManyProps & { done: string }) {
  const { t } = useTranslation('alarms');
  const { t: common } = useTranslation('common');
  const [note, setNote] = useState('');
  const [acknowledge] = useAcknowledgeAlarmsMutation();
  const { act, busy, problem } = useMutationFeedback({ done, failure: t('acknowledge.failed'), failsIn: 'place' });
  useUnsaved({ saving: busy, holdsChanges: () => note.trim() !== '' });
  const send = async () => {
    const { data, error } = await ids(PAGE_MAX);
    if (!data) return { error };
    const call = acknowledge({ acknowledgeAlarmsRequest: { ids: data, note: note.trim() } });
    return (await call) as MutationResult<unknown>;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // It stands over a list or a map, which may be part of a form.
    event.stopPropagation();
    if (!busy && (await act(send))) onDone();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        <Text>{t('acknowledge.text')}</Text>
        <Textarea
          label={t('acknowledge.note')}
          autosize
          minRows={2}
          maxLength={NOTE_MAX}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {problem && (
          <Alert color="red" variant="outline" role="alert">
            {problem}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel} disabled={busy}>
            {common('action.cancel')}
          </Button>
          <BusyButton type="submit" busy={busy} data-autofocus>
            {t('acknowledge.label')}
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}
