import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSetRolePermissionsMutation } from '@/api/calls/roles';
import { fieldErrors } from '@/api/errors';
import { errorText } from '@/i18n/errorText';
import { isVersionConflict } from '@/lib/mutationResult';
import { toastSuccess } from '@/lib/toast';
import type { Change } from './matrix';

interface SaveOptions {
  roleId: string;
  /** The version of the role that the changes are based on. */
  version: number;
  /** Loads what the role says now. */
  reload: () => Promise<unknown>;
  onSaved: () => void;
}

/** Saving what a role says of permissions, and what comes of it. */
export interface SaveChanges {
  /** Whether it was done. */
  save: (changes: Change[]) => Promise<boolean>;
  busy: boolean;
  /** Why it could not be done. */
  problem: string | null;
  /** What the server says of the rows, when it is them that it refuses. */
  refusal: string | null;
  /** Somebody else has changed the role: takes over what they did under what was changed here. */
  loadTheirs: (() => void) | null;
  forget: () => void;
}

/** All changes are saved in one step, or none. */
export function useSaveChanges({ roleId, version, reload, onSaved }: SaveOptions): SaveChanges {
  const { t } = useTranslation('roles');
  const { t: common } = useTranslation('common');
  const [send] = useSetRolePermissionsMutation();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const overtaken = isVersionConflict(error);
  const refusal = fieldErrors(error).items ?? null;

  const save = async (changes: Change[]) => {
    const items = changes.map(({ key, after }) => ({ key, effect: after }));
    setError(null);
    setBusy(true);
    const answer = await send({ id: roleId, 'If-Match': String(version), rolePermissionsInput: { items } });
    // What was changed is let go of only when the new state is there, so that nothing flickers back.
    if (answer.error === undefined) await reload();
    setBusy(false);
    if (answer.error !== undefined) {
      setError(answer.error);
      return false;
    }
    toastSuccess(t('changes.saved'));
    onSaved();
    return true;
  };
  const takeTheirs = async () => {
    await reload();
    setError(null);
  };

  const reason = overtaken ? common('form.overtaken') : (refusal ?? errorText(error, common));
  return {
    save,
    busy,
    problem: error === null ? null : overtaken ? reason : `${t('changes.failed')} ${reason}`,
    refusal,
    loadTheirs: overtaken ? () => void takeTheirs() : null,
    forget: () => setError(null),
  };
}
