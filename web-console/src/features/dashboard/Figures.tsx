import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFormats } from '@/i18n/useFormats';
import classes from './Dashboard.module.css';

/** One number of a tile, which leads to what was counted. */
export interface Figure {
  key: string;
  label: string;
  /** Undefined while it is on its way. */
  value: number | undefined;
  /** The list with the filter that shows what was counted. */
  to: string;
  mark?: ReactNode;
  /** How it is written, where it is no plain number. */
  write?: (value: number) => string;
  /** Somebody should look when it is more than none. */
  urgent?: boolean;
}

/** Numbers side by side. A place is kept for each while it is on its way, so that nothing moves when it comes. */
export function Figures({ label, figures }: { label: string; figures: Figure[] }) {
  const formats = useFormats();
  return (
    <ul className={classes.figures} aria-label={label}>
      {figures.map(({ key, label: name, value, to, mark, urgent, write = formats.number }) => (
        <li key={key}>
          <Link to={to} className={classes.figure} aria-busy={value === undefined}>
            <span className={classes.label}>
              {mark}
              {name}
            </span>{' '}
            <span className={classes.value} data-urgent={(urgent && (value ?? 0) > 0) || undefined}>
              {value === undefined ? <span className={classes.waiting} /> : write(value)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
