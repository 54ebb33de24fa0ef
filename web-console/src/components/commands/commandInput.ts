import type { CommandInput } from '@/api/generated';
import type { Values } from '@/resource/defineResource';

/** A UUID. `crypto.randomUUID` is there on pages of https alone. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

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
