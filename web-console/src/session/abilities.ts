import type { Person } from './claims';

/** What a screen or an action may ask for. The server decides; the console only hides. */
export type Ability = 'manage_tenants' | 'manage_users' | 'assign_devices' | 'see_rejections';

type Rule = (person: Person) => boolean;

const platformOwner: Rule = (person) => person.isPlatformOwner;
const administrator: Rule = (person) => person.isPlatformOwner || person.isTenantAdmin;

const RULES: Record<Ability, Rule> = {
  manage_tenants: platformOwner,
  manage_users: administrator,
  assign_devices: administrator,
  see_rejections: platformOwner,
};

/** Whether this person may do that. Nobody signed in may do nothing. */
export function can(ability: Ability, person: Person | null): boolean {
  return person !== null && RULES[ability](person);
}
