import type { Person } from './claims';

/**
 * What a screen or an action may ask for: a permission by its key in the server's catalogue (`device:create`), or to be a
 * platform owner. The server decides; the console only hides.
 */
export type Ability = `${string}:${string}` | 'platform_owner';

/** Whether this person may do that, as the server said when they signed in. Nobody signed in may do nothing. */
export function can(ability: Ability, person: Person | null): boolean {
  if (person === null) return false;
  return ability === 'platform_owner' ? person.isPlatformOwner : person.permissions.includes(ability);
}
