import type { Device } from '@/api/types';
import type { MutationResult } from '@/lib/mutationResult';
import type { SendParts } from '@/resource/defineResource';

/** Saves a device. An empty password is sent only where the present one is to go. */
export function sendDevice({ input, base, calls }: SendParts<Device>): Promise<MutationResult<Device>> {
  const { removes_password: removes, password, ...rest } = input;
  const sent = { ...rest, ...(password ? { password } : removes ? { password: '' } : {}) };
  return base ? calls.update(base.id, base.row_version, sent) : calls.create(sent);
}
