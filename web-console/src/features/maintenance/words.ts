import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMaintenanceWordsQuery } from '@/api/calls/maintenance';
import type { FilterChoices } from '@/resource/defineResource';

/** What people call these, as a free text of which there are usual ones. */
export type WordKind = 'status' | 'priority';

/** The usual words, as the contract has them. */
export const USUAL: Record<WordKind, readonly string[]> = {
  status: ['pending', 'in-progress', 'done'],
  priority: ['low', 'medium', 'high'],
};

type Translate = ReturnType<typeof useTranslation<'maintenance'>>['t'];

/** What is usual is said in the language of the screen; what somebody else has called it stays as it is. */
function translated(t: Translate, kind: WordKind, word: string): string {
  if (!USUAL[kind].includes(word)) return word;
  return kind === 'status' ? t(`status.${word}` as 'status.done') : t(`priority.${word}` as 'priority.low');
}

/** Puts words as they are stored into those of the screen. */
export function useWordText(): (kind: WordKind, word: string) => string {
  const { t } = useTranslation('maintenance');
  return (kind, word) => translated(t, kind, word);
}

/** What there is to choose from: the usual words, and those that somebody has written. */
export function useWordSuggestions(): Record<WordKind, readonly string[]> {
  const { data } = useMaintenanceWordsQuery({});
  return { status: data?.statuses ?? USUAL.status, priority: data?.priorities ?? USUAL.priority };
}

/** The same for the filters of the list. */
export function useWordChoices(): FilterChoices {
  const { t } = useTranslation('maintenance');
  const { data } = useMaintenanceWordsQuery({});
  return useMemo(() => {
    const choices = (kind: WordKind, words: readonly string[]) =>
      words.map((value) => ({ value, label: translated(t, kind, value) }));
    return {
      status_filter: choices('status', data?.statuses ?? USUAL.status),
      priority_filter: choices('priority', data?.priorities ?? USUAL.priority),
    };
  }, [data, t]);
}
