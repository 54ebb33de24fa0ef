import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import type { MutationResult } from '@/lib/mutationResult';
import { useMutationFeedback } from '@/lib/useMutationFeedback';

interface AskedActProps<T> {
  /** What the button, and the answer to the question, are called. */
  label: string;
  look: 'subtle' | 'default';
  title: string;
  text: string;
  /** What could not be done. */
  failure: string;
  send: () => Promise<MutationResult<T>>;
  onDone: (data: T) => void;
}

/** A button that asks first, and says in its question why something could not be done. */
export function AskedAct<T>({ label, look, title, text, failure, send, onDone }: AskedActProps<T>) {
  const [asked, setAsked] = useState(false);
  const { act, busy, problem, clearProblem } = useMutationFeedback<T>({ failure, failsIn: 'place' });
  const close = () => {
    clearProblem();
    setAsked(false);
  };
  const confirm = async () => {
    const answer = await act(send);
    if (!answer) return;
    close();
    onDone(answer.data);
  };
  return (
    <>
      <Button size="compact-sm" variant={look} onClick={() => setAsked(true)}>
        {label}
      </Button>
      <ConfirmDialog
        opened={asked}
        title={title}
        text={text}
        confirmLabel={label}
        busy={busy}
        problem={problem}
        onConfirm={() => void confirm()}
        onCancel={close}
      />
    </>
  );
}
