import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconExclamationCircle,
  IconInfoCircle,
  type Icon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './StatusBadge.module.css';

/** What a status means for its reader; the word beside it always says it too. */
export type StatusTone = 'positive' | 'info' | 'neutral' | 'warning' | 'negative';

const ICONS: Record<StatusTone, Icon> = {
  positive: IconCircleCheck,
  info: IconInfoCircle,
  neutral: IconCircleDashed,
  warning: IconAlertTriangle,
  negative: IconExclamationCircle,
};

/** A status in a word, with a mark whose shape differs as well as its colour. */
export function StatusBadge({ tone, children }: { tone: StatusTone; children: ReactNode }) {
  const Shape = ICONS[tone];
  return (
    <span className={classes.badge} data-tone={tone}>
      <Shape size={16} stroke={2} aria-hidden="true" className={classes.mark} />
      <span className={classes.word}>{children}</span>
    </span>
  );
}
