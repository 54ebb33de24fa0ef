import type { ReactNode } from 'react';
import { useFocusOnMount } from '@/lib/useFocusOnMount';
import classes from './Setup.module.css';

/** Heads a step, and has the keyboard when the step takes the place of another one. */
export const StepTitle = ({ children }: { children: ReactNode }) => (
  <h2 ref={useFocusOnMount<HTMLHeadingElement>()} tabIndex={-1} className={classes.title}>
    {children}
  </h2>
);
