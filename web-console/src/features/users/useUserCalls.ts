import { useState } from 'react';
import {
  useCreateUserMutation,
  useSendUserLinkMutation,
  useSetUserRolesMutation,
  useUpdateUserMutation,
} from '@/api/api';
import type { ApiError } from '@/api/errors';
import type { SentLink } from '@/api/generated';
import type { User } from '@/api/types';
import type { MutationResult } from '@/lib/mutationResult';
import { useNewest } from '@/resource/useResourceForm';
import { rolesChange, userInput, userValues, type UserValues } from './userForm';

/** What came of saving a user. */
export interface SavedUser {
  /** Undefined when the server did not say who it is, so that nothing further could be done. */
  user: User | undefined;
  /** Set when they were to be invited. */
  invitation?: MutationResult<SentLink>;
}

/** The user was saved, the roles were not. */
type RolesError = ApiError & { step: 'roles' };

/** Whether only the roles are missing. */
export const isRolesError = (error: unknown): boolean => typeof error === 'object' && error !== null && 'step' in error;

/**
 * The calls of the form: the user, then the roles, then the invitation. What has been done is not done again when the
 * rest is tried once more. Who may give roles alone sends nothing else. `base` is the version that a change is based on.
 */
export function useUserCalls(user: User | undefined, edits: boolean) {
  const load = useNewest<User>('users');
  const [base, setBase] = useState(user);
  const [done, setDone] = useState('');
  const [create] = useCreateUserMutation();
  const [update] = useUpdateUserMutation();
  const [setRoles] = useSetUserRolesMutation();
  const [sendLink] = useSendUserLinkMutation();

  /** The user alone, unless they are as they were saved before. */
  const save = async (values: UserValues): Promise<MutationResult<User>> => {
    const input = userInput(values, !base);
    if (!base) return (await create({ body: input })) as MutationResult<User>;
    if (!edits || JSON.stringify(input) === done) return { data: base };
    return (await update({
      id: base.id,
      'If-Match': String(base.row_version),
      userInput: input,
    })) as MutationResult<User>;
  };

  const send = async (values: UserValues): Promise<MutationResult<SavedUser>> => {
    const saved = await save(values);
    if (!saved.data) return { error: saved.error };
    let person = saved.data;
    if (!person.id) return { data: { user: undefined } };
    setBase(person);
    setDone(JSON.stringify(userInput(values, false)));
    if (rolesChange(values.role_ids, person)) {
      const roles = { 'If-Match': String(person.row_version), userRolesInput: { role_ids: values.role_ids } };
      const given = await setRoles({ id: person.id, ...roles });
      if (given.error !== undefined)
        return { error: { ...(given.error as ApiError), step: 'roles' } satisfies RolesError };
      person = given.data as User;
      setBase(person);
    }
    if (!values.invite) return { data: { user: person } };
    const invitation = await sendLink({ id: person.id, sendLinkRequest: { purpose: 'invitation' } });
    return { data: { user: person, invitation: invitation as MutationResult<SentLink> } };
  };

  const newest = async () => {
    const found = base && (await load(base.id));
    if (!found) return undefined;
    setBase(found);
    setDone('');
    return userValues(found);
  };
  return { send, newest, base };
}
