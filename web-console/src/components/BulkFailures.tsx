import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { actErrorText } from '@/i18n/errorText';
import { useFormats } from '@/i18n/useFormats';
import { isVersionConflict } from '@/lib/mutationResult';
import type { BulkOutcome } from '@/lib/useBulk';
import classes from './BulkFailures.module.css';

interface BulkFailuresProps<T> {
  /** What could not be done, e.g. "Failed to delete device." */
  failure: string;
  outcome: BulkOutcome<T> | null;
  rowName: (row: T) => string;
  onClose: () => void;
}

/** Which rows something could not be done to, and why. */
export function BulkFailures<T>({ failure, outcome, rowName, onClose }: BulkFailuresProps<T>) {
  const { t } = useTranslation(['common', 'lists']);
  const formats = useFormats();
  const reason = (error: unknown) =>
    isVersionConflict(error) ? t('lists:bulk.changedMeanwhile') : actErrorText(error, t);
  if (!outcome) return null;
  const { failed, done, error } = outcome;
  return (
    <Modal opened onClose={onClose} title={failure} zIndex={300}>
      <Stack>
        {error === undefined ? (
          <>
            <Text>
              {t('lists:bulk.partly', { failed: formats.number(failed.length), done: formats.number(done.length) })}
            </Text>
            <div className={classes.frame} tabIndex={0} role="region" aria-label={failure}>
              <ul className={classes.list}>
                {failed.map(({ row, error: why }, index) => (
                  <li key={index}>
                    <strong>{rowName(row)}</strong>
                    <span>{reason(why)}</span>
                  </li>
                ))}
              </ul>
            </div>
          </>
        ) : (
          <Text>{reason(error)}</Text>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {t('action.close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
