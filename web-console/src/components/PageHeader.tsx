import { Badge, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '@/i18n/useFormats';
import classes from './PageHeader.module.css';

/** Title of a list with the number of its entries; the primary action stands right. */
export function PageHeader({ title, count, action }: { title: string; count?: number; action?: ReactNode }) {
  const formats = useFormats();
  return (
    <header className={classes.header}>
      <Group gap="xs">
        <Title order={1}>{title}</Title>
        {count !== undefined && (
          <Badge variant="default" radius="sm" className="tabular">
            {formats.number(count)}
          </Badge>
        )}
      </Group>
      {action}
    </header>
  );
}
