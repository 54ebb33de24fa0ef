import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { actErrorText } from '@/i18n/errorText';
import { isVersionConflict, type MutationResult } from './mutationResult';
import { toastError, toastSuccess } from './toast';

interface MutationTexts {
  /** What was done, e.g. "Device successfully deleted."; nothing is said where the screen shows it. */
  done?: string;
  /** What could not be done, e.g. "Failed to delete device."; without it the reason stands alone. */
  failure?: string;
  /** Where a failure is said: in a toast, or by whoever shows `problem`. */
  failsIn?: 'toast' | 'place';
}

/** One change on the server that is no form: it is done, told, and its failure put into words. */
export function useMutationFeedback<T = unknown>({ done, failure, failsIn = 'toast' }: MutationTexts) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  /** What is clicked in one task sees the same state. */
  const sending = useRef(false);

  /** Returns the answer, or undefined when it failed, or is under way already. */
  const act = async <R = T>(send: () => Promise<MutationResult<R>>): Promise<{ data: R } | undefined> => {
    if (sending.current) return undefined;
    sending.current = true;
    setBusy(true);
    setProblem(null);
    const answer = await send();
    sending.current = false;
    setBusy(false);
    if (answer.error === undefined) {
      if (done) toastSuccess(done);
      return { data: answer.data as R };
    }
    const reason = isVersionConflict(answer.error) ? t('error.changedMeanwhile') : actErrorText(answer.error, t);
    const words = [failure, reason].filter(Boolean).join(' ');
    if (failsIn === 'toast') toastError(words);
    else setProblem(words);
    return undefined;
  };

  return { act, busy, problem, setProblem, clearProblem: () => setProblem(null) };
}
