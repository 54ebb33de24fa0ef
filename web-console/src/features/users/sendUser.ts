import { usersApi } from '@/api/calls/users';
import type { ApiError } from '@/api/errors';
import type { SentLink } from '@/api/generated';
import type { User } from '@/api/types';
import { actErrorText } from '@/i18n/errorText';
import { i18n } from '@/i18n/i18n';
import type { MutationResult } from '@/lib/mutationResult';
import { toastError, toastSuccess, toastWarning } from '@/lib/toast';
import type { Half, SendParts } from '@/resource/defineResource';
import { linkVehicles } from './linkVehicles';
import { showLink } from './LinkDialog';

type Parts = SendParts<User>;

/** The calls of the form: the user, then the roles, the vehicles, and the invitation. */
export async function sendUser(parts: Parts): Promise<MutationResult<User> | Half<User>> {
  const { input, values, base, calls, dispatch, t, formats } = parts;
  const { role_ids, ...rest } = input;
  const changes = Object.keys(rest).length > 0;
  const saved: MutationResult<User> = !base
    ? await calls.create({ ...rest, ...(values.invite === true && { invite: true }) })
    : changes
      ? await calls.update(base.id, base.row_version, rest)
      : { data: base };
  if (!saved.data) return saved;
  let user = saved.data;
  if (!user.id) {
    toastWarning(t('idMissing'));
    return saved;
  }
  if (Array.isArray(role_ids) && (base || role_ids.length > 0)) {
    const roles = { 'If-Match': String(user.row_version), userRolesInput: { role_ids: role_ids as string[] } };
    const given = await dispatch(usersApi.endpoints.setUserRoles.initiate({ id: user.id, ...roles }));
    if (given.error !== undefined) return changes ? { data: user, error: given.error } : { error: given.error };
    user = given.data as User;
  }
  const { failed, error } = await linkVehicles(user, values, dispatch);
  if (error !== undefined) return { data: user, error, failure: t('vehiclesFailed', { name: user.name }) };
  if (failed) toastWarning(t('vehiclesPartly', { name: user.name, count: failed, formatted: formats.number(failed) }));
  if (values.invite === true) await invite(user, parts);
  return { data: user };
}

/** Whoever could not be invited is there all the same. A link that is not mailed is shown. */
async function invite({ id, name, email }: User, { dispatch, t }: Parts): Promise<void> {
  const call = usersApi.endpoints.sendUserLink.initiate({ id, sendLinkRequest: { purpose: 'invitation' } });
  const { data, error } = (await dispatch(call)) as { data?: SentLink; error?: ApiError };
  if (!data) {
    const why = actErrorText(error, i18n.getFixedT(null, 'common'));
    return void toastError(`${t('invitationFailed', { name })} ${why}`);
  }
  const { mailed_to, link, expires_at } = data;
  if (link) showLink({ purpose: 'invitation', name, email, link, expiresAt: expires_at });
  else toastSuccess(t('link.invitation.mailed', { email: mailed_to ?? email }));
}
