import { Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import classes from './Section.module.css';

interface SectionProps {
  title: string;
  text?: string;
  /** Beside the title: what the section says in a word. */
  mark?: ReactNode;
  children: ReactNode;
}

/** A part of one's own account. */
export function Section({ title, text, mark, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div>
        <Title order={2} id={id}>
          {title} {mark}
        </Title>
        {text && (
          <Text c="dimmed" mt="2xs">
            {text}
          </Text>
        )}
      </div>
      {children}
    </section>
  );
}
