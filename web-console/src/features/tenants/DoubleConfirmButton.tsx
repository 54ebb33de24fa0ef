import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/ConfirmDialog';

interface DoubleConfirmButtonProps {
  /** What the button and both questions' answers are called. */
  label: string;
  /** The first question: what will happen. */
  title: string;
  text: string;
  /** The second one: what has to be typed, and why. */
  name: string;
  again: string;
  busy: boolean;
  problem: string | null;
  onClearProblem: () => void;
  onConfirm: () => void;
}

/** A button for what costs a whole company its data: asks, then asks again for its name. */
export function DoubleConfirmButton({
  label,
  title,
  text,
  name,
  again,
  busy,
  problem,
  onClearProblem,
  onConfirm,
}: DoubleConfirmButtonProps) {
  const { t: common } = useTranslation('common');
  const [question, setQuestion] = useState<'none' | 'first' | 'second'>('none');
  const close = () => {
    onClearProblem();
    setQuestion('none');
  };
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={16} aria-hidden="true" />}
        onClick={() => setQuestion('first')}
      >
        {label}
      </Button>
      <ConfirmDialog
        opened={question === 'first'}
        destructive
        title={title}
        text={text}
        confirmLabel={common('action.continue')}
        onCancel={close}
        onConfirm={() => setQuestion('second')}
      />
      <ConfirmDialog
        opened={question === 'second'}
        destructive
        typeName={name}
        busy={busy}
        problem={problem}
        title={title}
        text={again}
        confirmLabel={label}
        onCancel={close}
        onConfirm={onConfirm}
      />
    </>
  );
}
