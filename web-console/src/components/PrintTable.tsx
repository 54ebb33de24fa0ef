import { Button, Progress } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { ErrorState } from './ErrorState';
import classes from './PrintTable.module.css';

/** A printed column: nothing but text. */
export interface PrintColumn<T> {
  key: string;
  label: string;
  unit?: string;
  text: (row: T) => string;
  align?: 'right';
}

interface PrintTableProps<T> {
  title: string;
  /** Whose rows these are, which of them, as of when. */
  facts: { label: string; value: string }[];
  columns: PrintColumn<T>[];
  /** Undefined while they are on their way. */
  rows: T[] | undefined;
  progress: { loaded: number; total: number };
  error: unknown;
  failure: string;
  onRetry: () => void;
}

/** A printed list: waits until every row is there, then opens the browser's print dialog. */
export function PrintTable<T extends { id: string }>(props: PrintTableProps<T>) {
  const { t } = useTranslation(['common', 'lists']);
  const { rows } = props;
  usePrintOnce(rows !== undefined);
  if (props.error) return <ErrorState title={props.failure} error={props.error} onRetry={props.onRetry} />;
  if (!rows) return <Loading {...props.progress} />;
  return (
    <main className={classes.page}>
      <div className={classes.controls}>
        <Button onClick={() => window.print()}>{t('lists:print.print')}</Button>
      </div>
      <h1 className={classes.title}>{props.title}</h1>
      <dl className={classes.facts}>
        {props.facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <table className={classes.table}>
        <thead>
          <tr>
            <th data-align="right">{t('lists:print.number')}</th>
            {props.columns.map((column) => (
              <th key={column.key} data-align={column.align}>
                {column.unit ? `${column.label} (${column.unit})` : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.id}>
              <td data-align="right">{index + 1}</td>
              {props.columns.map((column) => (
                <td key={column.key} data-align={column.align}>
                  {column.text(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </main>
  );
}

function Loading({ loaded, total }: { loaded: number; total: number }) {
  const { t } = useTranslation(['common', 'lists']);
  const formats = useFormats();
  return (
    <main className={classes.loading} aria-busy="true">
      <p>{t('lists:print.loading', { loaded: formats.number(loaded), total: formats.number(total) })}</p>
      <Progress value={total === 0 ? 0 : (loaded / total) * 100} aria-label={t('state.loading')} />
    </main>
  );
}

/** Opens the print dialog once the rows are drawn in their font. */
function usePrintOnce(ready: boolean): void {
  const printed = useRef(false);
  useEffect(() => {
    if (!ready || printed.current) return;
    printed.current = true;
    void document.fonts.ready.then(() => window.print());
  }, [ready]);
}
