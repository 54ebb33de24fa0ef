import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMaintenanceWordsQuery } from '@/api/api';
import type { FilterChoices } from '@/resource/defineResource';

/** What people call these, as a free text of which there are usual ones. */
export type WordKind = 'status' | 'priority';

/** The usual words, as the contract has them. */
export const USUAL: Record<WordKind, readonly string[]> = {
  status: ['pending', 'in-progress', 'done'],
  priority: ['low', 'medium', 'high'],
};

/** Puts words as they are stored into those of the screen; what somebody else has called it stays as it is. */
export function useWordText(): (kind: WordKind, word: string) => string {
  const { t } = useTranslation('maintenance');
  return (kind, word) => (USUAL[kind].includes(word) ? t(`${kind}.${word}` as 'status.done') : word);
}

/** What there is to choose from: the usual words, and those that somebody has written. */
export function useKnownWords(): Record<WordKind, readonly string[]> {
  const { data } = useMaintenanceWordsQuery({});
  return { status: data?.statuses ?? USUAL.status, priority: data?.priorities ?? USUAL.priority };
}

/** The same for the filters of the list. */
export function useWordChoices(): FilterChoices {
  const { t } = useTranslation('maintenance');
  const { data } = useMaintenanceWordsQuery({});
  return useMemo(() => {
    const choices = (kind: WordKind, words: readonly string[]) =>
      words.map((value) => ({
        value,
        label: USUAL[kind].includes(value) ? t(`${kind}.${value}` as 'status.done') : value,
      }));
    return {
      status_filter: choices('status', data?.statuses ?? USUAL.status),
      priority_filter: choices('priority', data?.priorities ?? USUAL.priority),
    };
  }, [data, t]);
}
