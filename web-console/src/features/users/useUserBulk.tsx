import { IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import { api } from '@/api/api';
import { direct, fetchAllEntries, type DirectResult, type Dispatch } from '@/api/direct';
import type { UserInput } from '@/api/generated';
import type { User } from '@/api/types';
import { BulkFailures } from '@/components/BulkFailures';
import type { BulkAct } from '@/components/BulkBar';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useFormats } from '@/i18n/useFormats';
import type { ListParams } from '@/lib/listParams';
import type { Selection } from '@/lib/selection';
import { useBulk } from '@/lib/useBulk';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { USERS_URL, userFilter } from './userList';

type Act = 'activate' | 'deactivate' | 'remove';

const ACTS = [
  { key: 'activate', icon: IconUserCheck, ability: 'user:update' },
  { key: 'deactivate', icon: IconUserOff, ability: 'user:update' },
  { key: 'remove', icon: IconTrash, ability: 'user:delete', destructive: true },
] as const;

const change = (user: User, signal: AbortSignal, method: 'PUT' | 'DELETE', body?: UserInput) =>
  direct({ url: `${USERS_URL}/${user.id}`, method, body, headers: { 'If-Match': String(user.row_version) } }, signal);

/** What can be done to several users at once; the dialogs belong on the screen. Undefined for who may do nothing. */
export function useUserBulk(selection: Selection<User>, params: ListParams, total: number) {
  const { t } = useTranslation('users');
  const formats = useFormats();
  const dispatch = useDispatch<Dispatch>();
  const person = useSelector(selectPerson);
  const [asking, setAsking] = useState<Act | null>(null);
  const [last, setLast] = useState<Act>('activate');
  const { run, progress, stop, outcome, forget } = useBulk<User>({
    selection,
    everything: (options) => fetchAllEntries(USERS_URL, userFilter(params), options),
  });
  const count = selection.count(total);
  // Nobody shuts themselves out, also not among many others.
  const own = (): Promise<DirectResult<never>> => Promise.resolve({ error: { status: 422, message: t('bulk.own') } });

  const start = (act: Act) => {
    setAsking(null);
    setLast(act);
    void run({
      one: (user, signal) => {
        if (user.id === person?.id && act !== 'activate') return own;
        return act === 'remove'
          ? change(user, signal, 'DELETE')
          : change(user, signal, 'PUT', { is_active: act === 'activate' });
      },
      done: (changed) => t(`bulk.${act}.done`, { count: changed, formatted: formats.number(changed) }),
      afterwards: (users) => {
        const changed = users.map(({ id }) => ({ type: 'users', id }) as const);
        const counts = [{ type: 'roles', id: 'LIST' } as const, { type: 'tenants', id: 'LIST' } as const];
        dispatch(api.util.invalidateTags([{ type: 'users', id: 'LIST' }, ...(act === 'remove' ? counts : changed)]));
      },
    });
  };

  const acts = ACTS.filter(({ ability }) => can(ability, person)).map((act): BulkAct => ({
    ...act,
    label: t(`bulk.${act.key}.label`),
    onClick: () => setAsking(act.key),
  }));
  const asked = asking ?? last;
  const words = { count, formatted: formats.number(count) };
  return {
    bulk: acts.length > 0 ? { progress, onStop: stop, acts } : undefined,
    dialogs: (
      <>
        <ConfirmDialog
          opened={asking !== null}
          title={t(`bulk.${asked}.title`, words)}
          text={t(`bulk.${asked}.text`)}
          confirmLabel={t(`bulk.${asked}.label`)}
          destructive={asked === 'remove'}
          typeName={asked === 'remove' ? String(count) : undefined}
          onCancel={() => setAsking(null)}
          onConfirm={() => start(asked)}
        />
        <BulkFailures
          failure={last === 'remove' ? t('deleteFailed') : t('saveFailed')}
          outcome={outcome}
          rowName={({ name }) => name}
          onClose={forget}
        />
      </>
    ),
  };
}
