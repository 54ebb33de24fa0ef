import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useDispatch } from 'react-redux';
import type { Dispatch } from '@/api/direct';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { actErrorText } from '@/i18n/errorText';
import { toastError, toastSuccess } from '@/lib/toast';
import { toastWithAct } from '@/lib/toastAct';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { useTranslation } from 'react-i18next';
import { changesOf } from './calls';
import { idOf, nameOf, type Resource } from './defineResource';
import { valueOf, type Row } from './fields';
import { useWords } from './texts';

interface DangerProps {
  /** What the answer to the question is called. */
  label: string;
  title: string;
  text: string;
  /** Has to be typed. */
  name?: string;
  /** A second question, for what costs a whole company its data: there the name has to be typed. */
  again?: string;
  /** What is said then, unless `onDone` says it. */
  done?: string;
  failure: string;
  send: Parameters<ReturnType<typeof useMutationFeedback>['act']>[0];
  onDone: () => void;
  /** What leads to the question. */
  children: (ask: () => void) => ReactNode;
}

/** For what cannot be undone: asks, does it, and says what came of it. */
export function Danger({ label, title, text, name, again, done, failure, send, onDone, children }: DangerProps) {
  const { t } = useTranslation();
  const [question, setQuestion] = useState<'none' | 'first' | 'last'>('none');
  const { act, busy, problem, clearProblem } = useMutationFeedback({ done, failure, failsIn: 'place' });
  const close = () => {
    clearProblem();
    setQuestion('none');
  };
  const confirm = async () => {
    if (!(await act(send))) return;
    close();
    onDone();
  };
  return (
    <>
      {children(() => setQuestion(again ? 'first' : 'last'))}
      {again && (
        <ConfirmDialog
          opened={question === 'first'}
          destructive
          title={title}
          text={text}
          confirmLabel={t('action.continue')}
          onCancel={close}
          onConfirm={() => setQuestion('last')}
        />
      )}
      <ConfirmDialog
        opened={question === 'last'}
        destructive
        typeName={name}
        busy={busy}
        problem={problem}
        title={title}
        text={again ?? text}
        confirmLabel={label}
        onCancel={close}
        onConfirm={() => void confirm()}
      />
    </>
  );
}

/** The button that leads to such a question. */
export const DangerButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button variant="subtle" color="red" leftSection={<IconTrash size={16} aria-hidden="true" />} onClick={onClick}>
    {label}
  </Button>
);

interface DeleteActionProps<T extends Row> {
  resource: Resource<T>;
  row: T;
  onDeleted?: () => void;
  /** Stands in the row of a list, and asks for no name. */
  inRow?: boolean;
  /** Instead of a button. */
  children?: (ask: () => void) => ReactNode;
}

type Undo<T extends Row> = NonNullable<Exclude<Resource<T>['remove'], false | undefined>['undo']>;

/** Deletes a thing, after its name has been typed where it cannot be brought back. */
export function DeleteAction<T extends Row>({ resource, row, onDeleted, inRow, children }: DeleteActionProps<T>) {
  const words = useWords(resource.key);
  const { t, formats } = words;
  const { t: common } = useTranslation();
  const dispatch = useDispatch<Dispatch>();
  const options = resource.remove || {};
  const name = nameOf(resource, row, words);
  const label = t('bulk.remove.label');
  const undo = async (send: Undo<T>) => {
    const { error } = await send(row, dispatch);
    if (error === undefined) toastSuccess(t('undo.done'));
    else toastError(`${t('undo.failed')} ${actErrorText(error, common)}`);
  };
  const offerUndo = (send: Undo<T>) => toastWithAct(t('deleted'), t('undo.label'), () => void undo(send));
  const button = (ask: () => void) =>
    inRow ? (
      <Button variant="subtle" color="red" size="compact-sm" aria-label={`${label} ${name}`} onClick={ask}>
        {label}
      </Button>
    ) : (
      <DangerButton label={label} onClick={ask} />
    );
  return (
    <Danger
      label={label}
      title={t('confirmDelete.title', { name })}
      text={options.text?.(row, t, (value) => formats.number(value)) ?? t('confirmDelete.text', { name })}
      name={inRow || options.undo ? undefined : name}
      again={options.twice ? t('confirmDelete.again') : undefined}
      done={options.undo ? undefined : t('deleted')}
      failure={t('deleteFailed')}
      send={() =>
        changesOf(resource.key, dispatch).remove(
          idOf(resource, row),
          valueOf(row, 'row_version'),
          options.argument?.(row),
        )
      }
      onDone={() => {
        onDeleted?.();
        if (options.undo) offerUndo(options.undo);
      }}
    >
      {children ?? button}
    </Danger>
  );
}
