import { RESOURCES } from '@/api/generatedResources';
import { RESOURCE_ENTRIES } from '@/resource/registry';

/** Acts that have words of their own, as the texts are filed; by modules. */
const OWN_ACTS = [
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
  'alarm.acknowledge',
  'alarm.export',
  'alarm_name.delete',
  'alarm_name.update',
  'audit.export',
  'audit.refused',
  'command.cancel',
  'command.consent',
  'command.resolve',
  'device.correct_meters',
  'device.erase',
  'device.replace_tracker',
  'device.restore',
  'device.undo_meter_correction',
  'device.withdraw_tracker_replacement',
  'event.export',
  'gateway.retire_secret',
  'gateway.rotate_secret',
  'imei.assign',
  'imei.unassign',
  'imei_claim.approve',
  'imei_claim.reject',
  'saved_view.create',
  'saved_view.delete',
  'saved_view.update',
  'session.end',
  'session.login',
  'session.login_failed',
  'session.logout',
  'session.reauthenticate',
  'session.reuse',
  'share_link.renew_address',
  'share_link.revoke',
  'tenant.erase',
  'tenant.register',
  'tenant.registration_expire',
  'tenant.restore',
  'threshold.update',
  'user.assign_roles',
  'user.invite',
] as const;

/** What is done to everything that is made through the contract. */
export const SHARED_ACTS = ['create', 'update', 'delete', 'export'] as const;

/** Kinds of things that are no resource of the console, or are called otherwise. */
const OTHER_KINDS = ['session', 'imei', 'imei_claim', 'threshold', 'saved_view', 'alarm_name'] as const;

const isOther = (kind: string) => OTHER_KINDS.some((each) => each === kind);
const MADE = RESOURCE_ENTRIES.filter(([key, { auditKind }]) => 'create' in RESOURCES[key] && !isOther(auditKind));

/** What can be found in the audit and the console has words for, by modules. */
export const ACTS: string[] = [
  ...OWN_ACTS.map((act) => act.replace('.', ':')),
  ...MADE.flatMap(([key, { auditKind }]) =>
    SHARED_ACTS.filter((act) => act !== 'export' || 'exports' in RESOURCES[key]).map((act) => `${auditKind}:${act}`),
  ),
].sort();

/** Kinds of things that acts are done to. */
export const KINDS: string[] = [...MADE.map(([, { auditKind }]) => auditKind), ...OTHER_KINDS];

/** What came of an act. */
export const OUTCOMES = ['done', 'refused'] as const;
/** One of them. */
export type Outcome = (typeof OUTCOMES)[number];

const REFUSED = ['access:denied', 'audit:refused', 'session:login_failed', 'session:reuse'];

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
  const of = ACTS.filter((act) => outcomeOf(act) === wanted);
  const found = chosen.length === 0 ? of : of.filter((act) => chosen.some((pattern) => covers(pattern, act)));
  return found.length > 0 ? found : [NONE];
}
