import { mayDo } from '@/resource/registry';
import type { Person } from '@/session/claims';

/** Where the link manager is. */
export const MANAGER_PATH = '/device-members/manager';

/** Whether somebody may use the link manager: they see links and users, and may make links. */
export const mayManage = (person: Person | null): boolean =>
  mayDo('device-members', 'list', person) &&
  mayDo('device-members', 'create', person) &&
  mayDo('users', 'list', person);
