import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './State.module.css';

interface EmptyStateProps {
  title: string;
  text?: string;
  action?: ReactNode;
  /** The screen has no title but this one. */
  wholePage?: boolean;
}

/** Nothing is here yet: what this is for, and the first thing to do. */
export function EmptyState({ title, text, action, wholePage }: EmptyStateProps) {
  return (
    <div className={classes.state}>
      <Title order={wholePage ? 1 : 2}>{title}</Title>
      {text && (
        <Text c="dimmed" maw={440}>
          {text}
        </Text>
      )}
      {action}
    </div>
  );
}
