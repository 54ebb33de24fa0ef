import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import {
  commandsApi,
  useCancelCommandMutation,
  useConsentCommandMutation,
  useResolveCommandMutation,
} from '@/api/calls/commands';
import type { Dispatch } from '@/api/direct';
import type { Command } from '@/api/generated';
import { argumentsOf } from '@/components/commands/commandKinds';
import { sendOnce } from '@/components/commands/commandInput';
import { useCommandText } from '@/components/commands/useCommandText';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import type { MutationResult } from '@/lib/mutationResult';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { can } from '@/session/abilities';
import { selectPerson, selectSession } from '@/session/sessionSlice';

/** What a person can do about a command; its texts are `act.<name>.label`, `title`, `text` and `done`. */
type Name = 'agree' | 'refuse' | 'cancel' | 'carriedOut' | 'notCarriedOut' | 'again';

/** What is over, so that the same may be sent once more. */
const OVER: readonly Command['state'][] = ['acknowledged', 'delivered', 'failed', 'expired', 'cancelled', 'unknown'];

/** A day. */
const LIFETIME = '86400';

/** What this person can do about a command now. */
function useActs(command: Command): { name: Name; send: () => Promise<MutationResult<unknown>> }[] {
  const person = useSelector(selectPerson);
  const { user } = useSelector(selectSession);
  const dispatch = useDispatch<Dispatch>();
  const [consent] = useConsentCommandMutation();
  const [cancel] = useCancelCommandMutation();
  const [resolve] = useResolveCommandMutation();
  const call = { id: command.id, 'If-Match': String(command.row_version) };
  const maySend = can('command:create', person);
  const { state } = command;
  const acts = [];
  if (state === 'awaiting_consent' && command.user_id !== user?.id && can('command:consent', person)) {
    const say = (agrees: boolean) => () => consent({ ...call, consentCommandRequest: { agrees } });
    acts.push({ name: 'agree', send: say(true) } as const, { name: 'refuse', send: say(false) } as const);
  }
  if ((state === 'awaiting_consent' || state === 'queued') && maySend) {
    acts.push({ name: 'cancel', send: () => cancel(call) } as const);
  }
  if (state === 'unknown' && maySend) {
    const say = (done: boolean) => () => resolve({ ...call, resolveCommandRequest: { carried_out: done } });
    acts.push({ name: 'carriedOut', send: say(true) } as const, { name: 'notCarriedOut', send: say(false) } as const);
  }
  if (OVER.includes(state) && maySend) {
    const { device_id: deviceId, reason, id } = command;
    const typed = { ...argumentsOf(command), reason, expires_in: LIFETIME, repeats: id };
    const send = commandsApi.endpoints.sendCommand;
    const again = () =>
      sendOnce([deviceId], typed, (commandInput) => dispatch(send.initiate({ deviceId, commandInput })));
    acts.push({ name: 'again', send: again } as const);
  }
  return acts as { name: Name; send: () => Promise<MutationResult<unknown>> }[];
}

/** The buttons of a command; each asks first. */
export function CommandActs({ command }: { command: Command }) {
  const { t } = useTranslation('commands');
  const acts = useActs(command);
  return (
    <>
      {command.state === 'unknown' && (
        <Alert color="yellow" variant="outline">
          {t('unknownText')}
        </Alert>
      )}
      <Group gap="xs">
        {acts.map((act) => (
          <Act key={act.name} {...act} command={command} />
        ))}
      </Group>
    </>
  );
}

/** Those that keep something from being done, or stand beside what is meant. */
const SECONDARY: readonly Name[] = ['refuse', 'cancel', 'notCarriedOut', 'again'];

function Act({ name, send, command }: { name: Name; send: () => Promise<MutationResult<unknown>>; command: Command }) {
  const { t } = useTranslation('commands');
  const say = useCommandText();
  const [asking, setAsking] = useState(false);
  const { act, busy, problem, clearProblem } = useMutationFeedback({ done: t(`act.${name}.done`), failsIn: 'place' });
  const words = { device: command.device_name, command: say(command) };
  const stops = command.kind === 'engine_stop' && (name === 'agree' || name === 'again');
  return (
    <>
      <Button variant={SECONDARY.includes(name) ? 'default' : 'filled'} onClick={() => setAsking(true)}>
        {t(`act.${name}.label`)}
      </Button>
      <ConfirmDialog
        opened={asking}
        busy={busy}
        problem={problem}
        title={t(`act.${name}.title`, words)}
        text={[t(`act.${name}.text`, words), stops && t('engineStop.text')].filter(Boolean).join(' ')}
        confirmLabel={t(`act.${name}.label`)}
        cancelLabel={t('close')}
        destructive={stops}
        onCancel={() => {
          clearProblem();
          setAsking(false);
        }}
        onConfirm={() => void act(send).then((done) => done && setAsking(false))}
      />
    </>
  );
}
