import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useFormats } from '@/i18n/useFormats';
import { focusScreen } from '@/lib/useFocusReturn';
import classes from './ChangesBar.module.css';
import type { Draft } from './useDraft';

/** Stays in sight while there is something to save. */
export function ChangesBar({ draft, onReview }: { draft: Draft; onReview: () => void }) {
  const { t } = useTranslation('roles');
  const formats = useFormats();
  const [asking, setAsking] = useState(false);
  const count = draft.changes.length;
  return (
    <>
      {count > 0 && (
        <section className={classes.bar} aria-label={t('changes.title')}>
          <Text fw={500} role="status" className="tabular">
            {t('changes.count', { count, formatted: formats.number(count) })}
          </Text>
          <div className={classes.acts}>
            <Button variant="default" onClick={() => setAsking(true)}>
              {t('changes.discard')}
            </Button>
            <Button onClick={onReview}>{t('changes.review')}</Button>
          </div>
        </section>
      )}
      <ConfirmDialog
        opened={asking}
        destructive
        title={t('changes.discardTitle')}
        text={t('changes.discardText', { count, formatted: formats.number(count) })}
        confirmLabel={t('changes.discard')}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          draft.discard();
          setAsking(false);
          focusScreen();
        }}
      />
    </>
  );
}
