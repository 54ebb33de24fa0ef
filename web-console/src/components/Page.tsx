import type { ReactNode } from 'react';
import classes from './Page.module.css';

interface PageProps {
  /** As high as the window: what is long, a table, scrolls by itself. On a phone the whole screen does. */
  fill?: boolean;
  children: ReactNode;
}

/** The gutter and the column of a screen. */
export function Page({ fill, children }: PageProps) {
  return (
    <div className={classes.page} data-fill={fill || undefined}>
      {children}
    </div>
  );
}
