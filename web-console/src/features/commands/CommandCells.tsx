import { useTranslation } from 'react-i18next';
import type { Command } from '@/api/generated';
import { STATE_TONES } from '@/components/commands/commandKinds';
import { useCommandText } from '@/components/commands/useCommandText';
import { StatusBadge } from '@/components/StatusBadge';
import type { ResourceTexts } from '@/resource/texts';

/** What the tracker shall do. */
export const CommandText = ({ row }: { row: Command }) => useCommandText()(row);

/** How far it has come. */
export function CommandState({ row: { state } }: { row: Command }) {
  const { t } = useTranslation('commands');
  return <StatusBadge tone={STATE_TONES[state] ?? 'neutral'}>{t(`state.${state}` as 'state.queued')}</StatusBadge>;
}

/** Both, where there is room for one line. */
export const CommandStateLine = ({ row }: { row: Command }) => (
  <>
    <CommandText row={row} /> <CommandState row={row} />
  </>
);

/** Why it waits or failed, or what the tracker said. */
export function outcomeOf({ state_reason: reason, answer }: Command, { t }: Pick<ResourceTexts, 't'>): string {
  const because = reason && reason !== 'unspecified' ? t(`state_reason.${reason}`) : '';
  return [because, answer].filter(Boolean).join(': ');
}
