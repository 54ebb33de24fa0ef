import type { User } from '@/api/types';
import { can } from '@/session/abilities';
import type { Person } from '@/session/claims';

// What the person at the screen may do in a user's form. The server decides; this only hides.

/** Whether this is the person's own account. */
export const isOwn = (user: User | undefined, person: Person | null): boolean =>
  user !== undefined && user.id === person?.id;

const isAdmin = (person: Person | null) => can('platform_owner', person) || (person?.isTenantAdmin ?? false);
const ofPlatform = (user: User | undefined) => user?.is_platform_owner ?? false;
/** Nobody but an admin changes their own standing. */
const isOwnNonAdmin = (user: User | undefined, person: Person | null) => isOwn(user, person) && !isAdmin(person);
/** The roles to choose from have to be seen as well. */
const mayAssign = (person: Person | null) => can('user:assign_roles', person) && can('role:list', person);

/** Whether the person makes others admins. */
export const makesAdmins = (user: User | undefined, person: Person | null): boolean =>
  isAdmin(person) && !ofPlatform(user);

/** Whether the person says whom the subscription covers. */
export const subscribes = (user: User | undefined, person: Person | null): boolean =>
  !ofPlatform(user) && !isOwnNonAdmin(user, person);

/** Whether the person gives this user roles. */
export const givesRoles = (user: User | undefined, person: Person | null): boolean =>
  mayAssign(person) && subscribes(user, person);

/** Why not, where the person at the screen might expect it. */
export function noRoles(user: User, person: Person | null): 'own' | 'permission' | null {
  if (ofPlatform(user) || givesRoles(user, person)) return null;
  return isOwnNonAdmin(user, person) ? 'own' : 'permission';
}
