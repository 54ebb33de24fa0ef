import type { ReactNode } from 'react';
import classes from './DrawerForm.module.css';

/** Fields that belong together, under a heading, in a form that needs no tabs. */
export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.section}>
      <legend className={classes.legend}>{title}</legend>
      {children}
    </fieldset>
  );
}
