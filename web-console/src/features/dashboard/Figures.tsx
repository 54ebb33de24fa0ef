import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFormats } from '@/i18n/useFormats';
import classes from './Dashboard.module.css';

/** One number of a tile. */
export interface Figure {
  key: string;
  label: string;
  /** Undefined while it is on its way. */
  value: number | undefined;
  /** The list that shows what was counted, with as many rows; what is measured has none. */
  to?: string;
  mark?: ReactNode;
  /** How it is written, where it is no plain number. */
  write?: (value: number) => string;
  /** What stands below it in small. */
  note?: string;
  /** Somebody should look when it is more than none. */
  urgent?: boolean;
}

/** Numbers side by side. A place is kept for each while it is on its way, so that nothing moves when it comes. */
export function Figures({ label, figures }: { label: string; figures: Figure[] }) {
  return (
    <div className={classes.clip}>
      <ul className={classes.figures} aria-label={label}>
        {figures.map((figure) => (
          <li key={figure.key} className={classes.cell}>
            {figure.to === undefined ? (
              <div className={classes.figure} aria-busy={figure.value === undefined}>
                <FigureText figure={figure} />
              </div>
            ) : (
              <Link to={figure.to} className={classes.figure} aria-busy={figure.value === undefined}>
                <FigureText figure={figure} />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function FigureText({ figure: { label, value, mark, write, note, urgent } }: { figure: Figure }) {
  const formats = useFormats();
  return (
    <>
      <span className={classes.label}>
        {mark}
        {label}
      </span>{' '}
      <span className={classes.value} data-urgent={(urgent && (value ?? 0) > 0) || undefined}>
        {value === undefined ? <span className={classes.waiting} /> : (write ?? formats.number)(value)}
      </span>
      {note !== undefined && (
        <>
          {' '}
          <span className={classes.note}>{note}</span>
        </>
      )}
    </>
  );
}
