import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { actErrorText } from '@/i18n/errorText';
import type { MutationResult } from '@/lib/mutationResult';

/** One call of a dialog: that it is under way, and why it failed. */
export function useCall() {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  /** Returns the answer, or undefined when it failed. */
  const call = async <T>(send: () => Promise<MutationResult<T>>): Promise<{ data: T } | undefined> => {
    setBusy(true);
    setProblem(null);
    const answer = await send();
    setBusy(false);
    if (answer.error === undefined) return { data: answer.data as T };
    setProblem(actErrorText(answer.error, t));
    return undefined;
  };
  return { call, busy, problem, setProblem };
}
