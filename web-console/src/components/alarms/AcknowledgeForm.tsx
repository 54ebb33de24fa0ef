import { Alert, Button, Group, Stack, Textarea } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useAcknowledgeAlarmsMutation } from '@/api/calls/alarms';
import type { DirectResult } from '@/api/direct';
import { BusyButton } from '@/components/BusyButton';
import { useUnsaved } from '@/components/unsaved';
import { useFormats } from '@/i18n/useFormats';
import type { MutationResult } from '@/lib/mutationResult';
import { useMutationFeedback } from '@/lib/useMutationFeedback';

/** So many go in one request. */
export const ACKNOWLEDGED_AT_ONCE = 500;
const NOTE_MAX = 500;

interface AcknowledgeFormProps {
  /** How many they are. */
  count: number;
  /** Which: the first so many. */
  ids: (most: number) => Promise<DirectResult<string[]>>;
  /** Names what is acknowledged, where the button stands alone. */
  label?: string;
  /** Lines of the note at first. */
  lines?: number;
  /** The keyboard is at the button. */
  first?: boolean;
  onDone?: () => void;
  /** What leads away, where something lies behind. */
  onCancel?: () => void;
}

/** Acknowledges alarms, with what there is to say of them. */
export function AcknowledgeForm({ count, ids, label, lines = 2, first, onDone, onCancel }: AcknowledgeFormProps) {
  const { t } = useTranslation('alarms');
  const { t: common } = useTranslation('common');
  const formats = useFormats();
  const [note, setNote] = useState('');
  const [acknowledge] = useAcknowledgeAlarmsMutation();
  const { act, busy, problem } = useMutationFeedback({
    done: t('acknowledge.done', { count, formatted: formats.number(count) }),
    failure: t('acknowledge.failed'),
    failsIn: 'place',
  });
  useUnsaved({ saving: busy, holdsChanges: () => note.trim() !== '' });
  const send = async () => {
    const { data, error } = await ids(ACKNOWLEDGED_AT_ONCE);
    if (!data) return { error };
    const call = acknowledge({ acknowledgeAlarmsRequest: { ids: data, note: note.trim() } });
    return (await call) as MutationResult<unknown>;
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // It stands over a list or a map, which may be part of a form.
    event.stopPropagation();
    if (!busy && (await act(send))) onDone?.();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <Textarea
          label={t('acknowledge.note')}
          autosize
          minRows={lines}
          maxRows={6}
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
          {onCancel && (
            <Button variant="default" onClick={onCancel} disabled={busy}>
              {common('action.cancel')}
            </Button>
          )}
          <BusyButton type="submit" busy={busy} aria-label={busy ? undefined : label} data-autofocus={first}>
            {t('acknowledge.label')}
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}
