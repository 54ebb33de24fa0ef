import type { CommandInput } from '@/api/generated';
import { newId } from '@/lib/newId';
import type { Values } from '@/resource/defineResource';

/** What could not be sent, or of which nobody knows whether it was. */
const unanswered = new Map<string, string>();

/**
 * Sends what was typed to one device or to several. Tried again after an error, the same has the same id: if the server has
 * got it the first time, it does not send it twice.
 */
export async function sendOnce<T extends { error?: unknown }>(
  devices: readonly string[],
  typed: Values,
  send: (input: CommandInput) => Promise<T>,
): Promise<T> {
  const { expires_in: expiresIn, ...rest } = typed;
  const key = JSON.stringify([devices, typed]);
  const requestId = unanswered.get(key) ?? newId();
  unanswered.set(key, requestId);
  const input = { ...rest, expires_in_seconds: Number(expiresIn), request_id: requestId };
  const answer = await send(input as CommandInput);
  if (answer.error === undefined) unanswered.delete(key);
  return answer;
}
