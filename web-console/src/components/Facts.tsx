import type { ReactNode } from 'react';
import body from './DrawerBody.module.css';
import classes from './Facts.module.css';

/** What there is to read in a drawer. */
export const DrawerText = ({ children }: { children: ReactNode }) => <div className={body.content}>{children}</div>;

/** What stays in sight below it. */
export const DrawerFoot = ({ children }: { children: ReactNode }) => <div className={body.footer}>{children}</div>;

/** What there is to know of a thing. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={classes.facts}>{children}</dl>;

/** One of its lines. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children || '–'}</dd>
    </div>
  );
}
