import { useId, type ReactNode } from 'react';
import classes from './DevicePage.module.css';

/** One side of a device, under its heading. */
export function OverviewCard({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {title}
      </h2>
      {children}
    </section>
  );
}
