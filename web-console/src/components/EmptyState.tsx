import { Text, Title } from '@mantine/core';
import { IconInbox, type Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './State.module.css';

interface EmptyStateProps {
  title: string;
  text?: string;
  action?: ReactNode;
  icon?: Icon;
  /** The screen has no title but this one. */
  wholePage?: boolean;
}

/** Nothing is here yet: what this is for, and the first thing to do. */
export function EmptyState({ title, text, action, icon: Shape = IconInbox, wholePage }: EmptyStateProps) {
  return (
    <div className={classes.state}>
      <span className={classes.circle}>
        <Shape size={32} stroke={1.5} aria-hidden="true" />
      </span>
      <Title order={wholePage ? 1 : 2} size="h1">
        {title}
      </Title>
      {text && (
        <Text c="dimmed" maw={440}>
          {text}
        </Text>
      )}
      {action}
    </div>
  );
}
