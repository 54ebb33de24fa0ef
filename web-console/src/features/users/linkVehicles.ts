import { deviceMembersApi } from '@/api/calls/deviceMembers';
import { direct, type Dispatch } from '@/api/direct';
import type { DeviceMemberRole, LinkDevicesReport } from '@/api/generated';
import type { Page, User } from '@/api/types';
import { callsOf } from '@/resource/calls';
import type { Values } from '@/resource/defineResource';
import { isWanted } from '@/resource/values';
import { VEHICLE_FIELDS } from './vehicleFields';

/** Vehicles of one page of their list, and of one request: so many are linked well before a call takes too long. */
const PIECE = 500;

/** How many could not be linked, because they are gone or not one's own to share; or what went wrong. */
type Linked = { failed: number; error?: undefined } | { failed?: undefined; error: unknown };

const idsIn = (value: unknown): string[] => String(value).split(',').filter(Boolean);

/**
 * Links a new user to the vehicles that were chosen in the form, in pieces. What was done stays when a later piece fails, and
 * to ask for the same again does the rest.
 */
export async function linkVehicles(user: User, values: Values, dispatch: Dispatch): Promise<Linked> {
  if (!isWanted(VEHICLE_FIELDS.vehicle_role, values)) return { failed: 0 };
  let failed = 0;
  for await (const { ids, error } of piecesOf(user, values, dispatch)) {
    if (!ids) return { error };
    const request = { user_id: user.id, role: values.vehicle_role as DeviceMemberRole, device_ids: ids };
    const call = deviceMembersApi.endpoints.linkDevices.initiate({ linkDevicesRequest: request });
    const answer = (await dispatch(call)) as { data?: LinkDevicesReport; error?: unknown };
    if (!answer.data) return { error: answer.error };
    failed += answer.data.failed;
  }
  return { failed };
}

type Piece = { ids: string[]; error?: undefined } | { ids?: undefined; error: unknown };

/** The ids of the vehicles: those that were chosen, or those that the list has now, of all or of groups. */
async function* piecesOf(user: User, values: Values, dispatch: Dispatch): AsyncGenerator<Piece> {
  if (values.vehicles === 'chosen') {
    const ids = idsIn(values.vehicle_ids);
    for (let first = 0; first < ids.length; first += PIECE) yield { ids: ids.slice(first, first + PIECE) };
    return;
  }
  const group_id = values.vehicles === 'groups' ? idsIn(values.vehicle_group_ids) : [];
  const params = { group_id, tenant_id: user.tenant_id, sort: 'name', page_size: PIECE };
  let after: string | undefined;
  do {
    const call = direct<Page<{ id: string }>>(
      { url: callsOf('devices').path, params: { ...params, after } },
      new AbortController().signal,
    );
    const { data, error } = await dispatch(call);
    if (!data) {
      yield { error };
      return;
    }
    if (data.items.length > 0) yield { ids: data.items.map(({ id }) => id) };
    after = data.next;
  } while (after);
}
