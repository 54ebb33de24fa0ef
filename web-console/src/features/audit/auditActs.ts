/** What can be found in the audit and the console has words for, as the texts are filed; by modules. */
export const ACTS = [
  'access.denied',
  'account.email_verify',
  'account.invitation_accept',
  'account.password_change',
  'account.password_reset',
  'account.provider_bind',
  'account.recovery_codes',
  'account.totp_remove',
  'account.totp_setup',
  'account.update',
  'audit.export',
  'device.create',
  'device.delete',
  'device.export',
  'device.update',
  'gateway.assign',
  'gateway.remove',
  'imei.assign',
  'imei.unassign',
  'imei_claim.approve',
  'imei_claim.reject',
  'permission.create',
  'permission.delete',
  'permission.update',
  'role.create',
  'role.delete',
  'role.update',
  'session.end',
  'session.login',
  'session.login_failed',
  'session.logout',
  'session.reauthenticate',
  'session.reuse',
  'tenant.create',
  'tenant.delete',
  'tenant.erase',
  'tenant.export',
  'tenant.register',
  'tenant.registration_expire',
  'tenant.restore',
  'tenant.update',
  'user.assign_roles',
  'user.create',
  'user.delete',
  'user.export',
  'user.invite',
  'user.update',
] as const;

/** Kinds of things that acts are done to. */
export const KINDS = [
  'device',
  'user',
  'role',
  'tenant',
  'permission',
  'session',
  'imei',
  'imei_claim',
  'gateway',
] as const;

/** What came of an act. */
export const OUTCOMES = ['done', 'refused'] as const;
/** One of them. */
export type Outcome = (typeof OUTCOMES)[number];

const REFUSED = ['access:denied', 'session:login_failed', 'session:reuse'];
const KNOWN = ACTS.map((act) => act.replace('.', ':'));

/** The audit has no field for it: some acts are refusals by what they are. */
export const outcomeOf = (act: string): Outcome => (REFUSED.includes(act) ? 'refused' : 'done');

/** No act is called this, so that nothing is found by it. */
const NONE = 'none:none';

/** The acts to ask for, of those that were chosen (`device:*` is a whole module) and with the outcome that was. */
export function actsFor(chosen: string[], outcome: string | undefined): string[] {
  const wanted = OUTCOMES.find((each) => each === outcome);
  if (!wanted) return chosen;
  const covers = (pattern: string, act: string) =>
    pattern.endsWith('*') ? act.startsWith(pattern.slice(0, -1)) : pattern === act;
  const of = KNOWN.filter((act) => outcomeOf(act) === wanted);
  const found = chosen.length === 0 ? of : of.filter((act) => chosen.some((pattern) => covers(pattern, act)));
  return found.length > 0 ? found : [NONE];
}
