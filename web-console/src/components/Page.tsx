import type { ReactNode } from 'react';
import classes from './Page.module.css';

/** The gutter and the column of a screen that scrolls. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={classes.page}>{children}</div>;
}
