import { Text } from '@mantine/core';
import { commandsApi } from '@/api/calls/commands';
import type { Command } from '@/api/generated';
import { sendOnce } from '@/components/commands/commandInput';
import type { MutationResult } from '@/lib/mutationResult';
import type { Question, SendParts, Values } from '@/resource/defineResource';
import { EntityName } from '@/resource/names';
import type { ResourceText } from '@/resource/texts';

/** Sends what stands in the form to its device. */
export async function sendCommand({ input, dispatch }: SendParts<Command>): Promise<MutationResult<Command>> {
  const { device_id: to, ...typed } = input;
  const deviceId = String(to);
  const send = commandsApi.endpoints.sendCommand;
  return (await sendOnce([deviceId], typed, (commandInput) =>
    dispatch(send.initiate({ deviceId, commandInput })),
  )) as MutationResult<Command>;
}

/** Nobody stops an engine in passing. `count` is how many, where they are several. */
export function question(
  { kind, count, device_id: id }: Values,
  _row: Command | undefined,
  t: ResourceText,
): Question | undefined {
  if (kind !== 'engine_stop') return undefined;
  const several = typeof count === 'number';
  return {
    title: several ? t('engineStop.askMany', { count }) : t('engineStop.ask'),
    about: !several && (
      <Text fw={500} mt="sm">
        <EntityName of="devices" id={String(id)} />
      </Text>
    ),
    text: t('engineStop.text'),
    confirm: t('engineStop.confirm'),
    destructive: true,
  };
}
