import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Banner.module.css';

interface BannerProps {
  icon: Icon;
  title: string;
  /** Something is wrong. */
  failing?: boolean;
  testId: string;
  children: ReactNode;
}

/** Says something over every screen. */
export const Banner = ({ icon: Sign, title, failing, testId, children }: BannerProps) => (
  <aside className={classes.banner} aria-label={title} data-testid={testId}>
    <Sign size={16} aria-hidden="true" className={classes.icon} data-failing={failing} />
    <span>
      <strong>{title}</strong> {children}
    </span>
  </aside>
);
