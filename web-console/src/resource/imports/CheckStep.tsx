import { Alert, Button, Progress, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useFormats } from '@/i18n/useFormats';
import { JobState, shareOf } from '../JobState';
import { useResourceTexts } from '../texts';
import { Counts } from './Counts';
import classes from './Import.module.css';
import type { ImportReport } from './importCalls';
import { BackButton, StepFrame, type StepProps } from './ImportDrawer';
import { LostZeros, MissingThings } from './MissingThings';
import { RowErrors } from './RowErrors';

const NOTHING_YET: ImportReport = { creates: 0, updates: 0, deletes: 0, failed: 0, errors: [] };

/** The third step: the file is tried out, and then what would come of it, what is wrong with it, and the start. */
export function CheckStep({ of, importing }: StepProps) {
  const { t } = useResourceTexts(of);
  const formats = useFormats();
  const [asked, setAsked] = useState(false);
  const { job, report } = importing.trial;
  const { creates, updates, deletes, failed } = report ?? NOTHING_YET;
  const count = creates + updates + deletes;
  const values = { count, formatted: formats.number(count) };
  // What leaves something out, or takes something away, is asked for.
  const isAsked = failed > 0 || deletes > 0;
  const start = () => {
    setAsked(false);
    void importing.run(failed > 0 ? 'valid' : 'all');
  };
  const label = failed > 0 ? t('import.startValid', values) : t('import.startAll', values);
  const lost = [
    failed > 0 ? t('import.leftOut', { count: failed, formatted: formats.number(failed) }) : '',
    deletes > 0 ? t('import.removes', { count: deletes, formatted: formats.number(deletes) }) : '',
  ];
  return (
    <StepFrame
      importing={importing}
      title={job ? t('import.heading.checking') : t('import.heading.check')}
      back={
        <>
          <BackButton stops={job && t('import.stop')} onClick={() => importing.goTo('columns')} />
          {failed > 0 && (
            <Button variant="default" disabled={importing.busy} onClick={() => importing.goTo('file')}>
              {t('import.corrected')}
            </Button>
          )}
        </>
      }
      next={count > 0 ? { label, onClick: () => (isAsked ? setAsked(true) : start()) } : undefined}
    >
      <Outcome of={of} importing={importing} />
      <ConfirmDialog
        opened={asked}
        title={t('import.question', values)}
        text={lost.filter(Boolean).join(' ')}
        confirmLabel={label}
        destructive={deletes > 0}
        onConfirm={start}
        onCancel={() => setAsked(false)}
      />
    </StepFrame>
  );
}

/** How far the trial is, and then what came of it: the same place says both, so that neither goes unheard. */
function Outcome({ of, importing }: Pick<StepProps, 'of' | 'importing'>) {
  const { t } = useResourceTexts(of);
  const { preview, trial } = importing;
  const { job, report } = trial;
  return (
    <>
      {job && <Progress value={shareOf(job)} aria-label={t('import.heading.checking')} />}
      <div role="status" className={classes.status}>
        {job && (
          <Text size="sm" className="tabular">
            <JobState job={job} />
          </Text>
        )}
        {report && <Counts of={of} report={report} />}
      </div>
      <MissingThings of={of} importing={importing} />
      <LostZeros of={of} importing={importing} />
      {report?.failed === 0 && (
        <Alert color="green" variant="outline">
          {t('import.right')}
        </Alert>
      )}
      {!!report?.failed && (
        <RowErrors of={of} report={report} fields={preview?.fields ?? []} columns={importing.columns} />
      )}
    </>
  );
}
