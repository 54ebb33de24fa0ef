import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import type { MutationResult } from '@/lib/mutationResult';
import { useMutationFeedback } from '@/lib/useMutationFeedback';

interface RevokeButtonProps {
  /** What the row is called, for those who hear the button. */
  name: string;
  send: () => Promise<MutationResult<unknown>>;
  done: string;
  failure: string;
  /** The question. */
  title: string;
  text: string;
}

/** Takes what a row says back, after asking. */
export function RevokeButton({ name, send, done, failure, title, text }: RevokeButtonProps) {
  const { t } = useTranslation('claims');
  const [asking, setAsking] = useState(false);
  const { act, busy, problem, clearProblem } = useMutationFeedback({ done, failure, failsIn: 'place' });
  const confirm = async () => {
    if (await act(send)) setAsking(false);
  };
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        color="red"
        aria-label={t('removeNamed', { name })}
        onClick={() => setAsking(true)}
      >
        {t('remove')}
      </Button>
      <ConfirmDialog
        opened={asking}
        destructive
        busy={busy}
        problem={problem}
        title={title}
        text={text}
        confirmLabel={t('remove')}
        onCancel={() => {
          clearProblem();
          setAsking(false);
        }}
        onConfirm={() => void confirm()}
      />
    </>
  );
}
