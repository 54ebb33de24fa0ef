import { useSelector } from 'react-redux';
import type { User } from '@/api/types';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';

/** What the person at the screen may do in a user's form. */
export interface UserRights {
  isOwn: boolean;
  /** May change what is said of the person; the roles are another matter. */
  edits: boolean;
  namesTenant: boolean;
  /** Both are of the same tenant. */
  ownTenant: boolean;
  givesRoles: boolean;
  /** Why not, where the person at the screen might expect it. */
  noRoles: 'own' | 'permission' | null;
  makesAdmins: boolean;
  subscribes: boolean;
}

/** The rights over a user, or a new one. The server decides; this only hides. */
export function useUserRights(user: User | undefined): UserRights {
  const person = useSelector(selectPerson);
  const isOwner = can('platform_owner', person);
  const isAdmin = isOwner || (person?.isTenantAdmin ?? false);
  const isOwn = user !== undefined && user.id === person?.id;
  const ofPlatform = user?.is_platform_owner ?? false;
  // Nobody but an admin changes their own standing.
  const ownStanding = isOwn && !isAdmin;
  // The roles to choose from have to be seen as well.
  const mayAssign = can('user:assign_roles', person) && can('role:list', person);
  return {
    isOwn,
    edits: can(user ? 'user:update' : 'user:create', person),
    namesTenant: user === undefined && isOwner,
    ownTenant: !isOwner,
    givesRoles: mayAssign && !ofPlatform && !ownStanding,
    noRoles: ofPlatform ? null : ownStanding ? 'own' : mayAssign ? null : 'permission',
    makesAdmins: isAdmin && !ofPlatform,
    subscribes: !ofPlatform && !ownStanding,
  };
}
