import { useTranslation } from 'react-i18next';
import { useState } from 'react';
import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form';
import { errorText } from '@/i18n/errorText';
import { isVersionConflict, showFieldErrors } from './formErrors';

/** What a save comes to, as RTK Query's mutations return it. */
export type SaveAnswer<T> = { data: T; error?: undefined } | { data?: undefined; error: unknown };

interface SaveOptions<T, F extends FieldValues> {
  fields: readonly FieldPath<F>[];
  setError: UseFormSetError<F>;
  /** What could not be done, e.g. "Failed to save device." */
  failure: string;
  onSaved: (saved: T) => void;
}

/** Sends a form, and puts what the server says where it belongs: at the fields, or above them. */
export function useSave<T, F extends FieldValues>(options: SaveOptions<T, F>) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const save = async (send: () => Promise<SaveAnswer<T>>): Promise<void> => {
    setProblem(null);
    setBusy(true);
    const answer = await send();
    setBusy(false);
    if (answer.error === undefined) return options.onSaved(answer.data as T);
    if (isVersionConflict(answer.error)) return setProblem(t('error.changedMeanwhile'));
    showFieldErrors(answer.error, options.fields, options.setError);
    setProblem(`${options.failure} ${errorText(answer.error, t)}`);
  };

  return { save, busy, problem };
}
