import type { ReactNode } from 'react';
import classes from './StatusBadge.module.css';

/** What a status means for its reader; the word beside it always says it too. */
export type StatusTone = 'positive' | 'neutral' | 'negative';

/** A status in a word, with a mark whose shape differs as well as its colour. */
export function StatusBadge({ tone, children }: { tone: StatusTone; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      <span className={classes.mark} aria-hidden="true" />
      {children}
    </span>
  );
}
