import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import { api } from '@/api/api';
import type { Command } from '@/api/generated';
import { toastError, toastSuccess, toastWarning } from '@/lib/toast';
import { selectSession } from '@/session/sessionSlice';
import { selectConnection } from './connectionSlice';
import { live } from './live';

/** Many commands at once change many times; what shows them asks once for so long. */
const DEBOUNCE_MS = 400;

/** States in which nothing comes any more by itself, and how their sender is told. */
const FINAL_STATES: Partial<Record<Command['state'], (text: string) => void>> = {
  acknowledged: toastSuccess,
  failed: toastError,
  expired: toastWarning,
  unknown: toastWarning,
};

/** Keeps what is shown of commands up to date by what the live socket tells, and tells people what became of theirs. */
export function useCommandResponses(): void {
  const { i18n } = useTranslation();
  const dispatch = useDispatch<ThunkDispatch<unknown, unknown, UnknownAction>>();
  const userId = useSelector(selectSession).user?.id;
  const { state: connection } = useSelector(selectConnection);

  useEffect(() => {
    // What changed while nobody was told.
    if (connection === 'connected') dispatch(api.util.invalidateTags(['commands']));
  }, [dispatch, connection]);

  useEffect(() => {
    const changed = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer = undefined;
      const tags = [...changed, 'LIST'].map((id) => ({ type: 'commands' as const, id }));
      changed.clear();
      dispatch(api.util.invalidateTags(tags));
    };
    const end = live.onMessage('command_response', ({ payload }) => {
      const { command } = payload as { command?: Command };
      if (!command) return;
      changed.add(command.id);
      timer ??= setTimeout(refresh, DEBOUNCE_MS);
      if (command.user_id !== userId) return;
      const toast = FINAL_STATES[command.state];
      if (!toast) return;
      // Most who look at screens send no commands.
      void i18n.loadNamespaces('commands').then(() => {
        const t = i18n.getFixedT(null, 'commands');
        const words = { device: command.device_name, command: t(`kind.${command.kind}` as 'kind.reboot') };
        toast(t(`told.${command.state}` as 'told.failed', words));
      });
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [dispatch, i18n, userId]);
}
