import { Alert, Button, Pagination, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useFormats } from '@/i18n/useFormats';
import type { ResourceKey } from '../registry';
import { useResourceTexts } from '../texts';
import table from '@/components/PlainTable.module.css';
import classes from './Import.module.css';
import type { ImportField, ImportReport, ImportRowError } from './importCalls';
import { BackButton, StepFrame, type StepProps } from './ImportDrawer';

const COUNTS = ['creates', 'updates', 'deletes', 'failed'] as const;
const PAGE_SIZE = 25;

/** The third step: what would come of the file, what is wrong with it, and the start. */
export function CheckStep({ of, importing }: StepProps) {
  const { t } = useResourceTexts(of);
  const formats = useFormats();
  const [asked, setAsked] = useState(false);
  const { report, preview, busy } = importing;
  if (!report) return null;
  const { failed, deletes } = report;
  const count = report.creates + report.updates + deletes;
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
      title={t('import.heading.check')}
      back={
        <>
          <BackButton onClick={() => importing.goTo('columns')} />
          {failed > 0 && (
            <Button variant="default" disabled={busy} onClick={() => importing.goTo('file')}>
              {t('import.corrected')}
            </Button>
          )}
        </>
      }
      next={count > 0 ? { label, onClick: () => (isAsked ? setAsked(true) : start()) } : undefined}
    >
      <Counts of={of} report={report} />
      {failed === 0 ? (
        <Alert color="green" variant="outline">
          {t('import.right')}
        </Alert>
      ) : (
        <Errors of={of} report={report} fields={preview?.fields ?? []} />
      )}
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

function Counts({ of, report }: { of: ResourceKey; report: ImportReport }) {
  const { t } = useResourceTexts(of);
  const formats = useFormats();
  return (
    <dl className={classes.counts}>
      {COUNTS.map((name) => (
        <div key={name} data-wrong={(name === 'failed' && report.failed > 0) || undefined}>
          <dt>{t(`import.count.${name}`)}</dt>
          <dd className="tabular">{formats.number(report[name])}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What is wrong with each row, cell by cell. */
function Errors({ of, report, fields }: { of: ResourceKey; report: ImportReport; fields: ImportField[] }) {
  const { t } = useResourceTexts(of);
  const formats = useFormats();
  const [page, setPage] = useState(1);
  const { errors, failed } = report;
  const pages = Math.ceil(errors.length / PAGE_SIZE);
  const shown = errors.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  return (
    <>
      <table className={`${table.table} ${classes.errors}`}>
        <thead>
          <tr>
            <th scope="col">{t('import.row')}</th>
            <th scope="col">{t('field.name')}</th>
            <th scope="col">{t('import.wrong')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((error) => (
            <tr key={error.row}>
              <td className="tabular">{formats.number(error.row)}</td>
              <td>{error.name || '–'}</td>
              <td>
                <Wrong of={of} error={error} fields={fields} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {pages > 1 && <Pagination total={pages} value={page} onChange={setPage} />}
      {failed > errors.length && (
        <Text size="sm" c="dimmed">
          {t('import.more', { shown: formats.number(errors.length), total: formats.number(failed) })}
        </Text>
      )}
    </>
  );
}

interface WrongProps {
  of: ResourceKey;
  error: ImportRowError;
  fields: ImportField[];
}

function Wrong({ of, error, fields }: WrongProps) {
  const { t } = useResourceTexts(of);
  const cells = Object.entries(error.fields ?? {});
  if (cells.length === 0) return error.message;
  return cells.map(([name, text]) => {
    const { label = name, choices = [] } = fields.find((field) => field.name === name) ?? {};
    return (
      <div key={name}>
        <strong>{label}:</strong> {text} {choices.length > 0 && t('import.choices', { choices: choices.join(', ') })}
      </div>
    );
  });
}
