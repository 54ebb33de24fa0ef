import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './State.module.css';

/** Nothing is here yet: what this is for, and the first thing to do. */
export function EmptyState({ title, text, action }: { title: string; text?: string; action?: ReactNode }) {
  return (
    <div className={classes.state}>
      <Title order={2}>{title}</Title>
      {text && (
        <Text c="dimmed" maw={440}>
          {text}
        </Text>
      )}
      {action}
    </div>
  );
}
