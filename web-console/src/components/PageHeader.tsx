import { ActionIcon, Badge, Group, Menu, Text, Title } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTotal } from '@/i18n/useTotal';
import classes from './PageHeader.module.css';

interface PageHeaderProps {
  title: string;
  /** How many entries the list has. */
  count?: number;
  /** It has more than that. */
  more?: boolean;
  /** What the screen is for, where the title does not say it. */
  text?: string;
  /** The primary act, and little beside it. */
  action?: ReactNode;
  /** Menu items for what is done rarely. */
  menu?: ReactNode;
}

/** Title of a screen; the primary action stands right. */
export function PageHeader({ title, count, more, text, action, menu }: PageHeaderProps) {
  const { t } = useTranslation();
  const total = useTotal();
  return (
    <header className={classes.header}>
      <div className={classes.names}>
        <Group gap="xs" wrap="nowrap" align="center">
          <Title order={1} className={classes.title}>
            {title}
          </Title>
          {count !== undefined && (
            <Badge variant="default" radius="sm" className={`tabular ${classes.count}`}>
              {total(count, more)}
            </Badge>
          )}
        </Group>
        {text && (
          <Text c="dimmed" maw={720} mt="2xs">
            {text}
          </Text>
        )}
      </div>
      {(action || menu) && (
        <Group gap="xs" wrap="nowrap" className={classes.acts}>
          {action}
          {menu && (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="default" aria-label={t('action.more')}>
                  <IconDots size={18} aria-hidden="true" />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>{menu}</Menu.Dropdown>
            </Menu>
          )}
        </Group>
      )}
    </header>
  );
}
