import { ActionIcon, Button, Text, UnstyledButton } from '@mantine/core';
import { IconX, type Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTotal } from '@/i18n/useTotal';
import type { Selection } from '@/lib/selection';
import classes from './BulkBar.module.css';

/** Something that can be done to the chosen rows. */
export interface BulkAct {
  key: string;
  label: string;
  icon: Icon;
  destructive?: boolean;
  onClick: () => void;
}

interface BulkBarProps {
  acts: BulkAct[];
  selection: Pick<Selection<never>, 'everything' | 'setEverything' | 'clear' | 'count'>;
  /** How many match, and how many of them are on this page. */
  total: number;
  /** More than that match. */
  more?: boolean;
  present: number;
  /** Chooses the page. */
  children: ReactNode;
}

/** How many rows are chosen, and what can be done to them. Lies over the header of the table. */
export function BulkBar(props: BulkBarProps) {
  const { t } = useTranslation(['common', 'lists']);
  const totalText = useTotal();
  const count = props.selection.count(props.total);
  return (
    <div className={classes.bar} role="toolbar" aria-label={t('lists:selection.bulk')}>
      {props.children}
      <Text size="sm" fw={500} role="status" className="tabular">
        {t('lists:selection.selected', {
          count,
          formatted: totalText(count, props.more && props.selection.everything),
        })}
      </Text>
      <Acts {...props} count={count} />
    </div>
  );
}

function Acts({ acts, selection, total, more, present, count }: BulkBarProps & { count: number }) {
  const { t } = useTranslation(['common', 'lists']);
  const totalText = useTotal();
  return (
    <>
      {!selection.everything && count >= present && total > count && (
        <UnstyledButton className={classes.all} onClick={selection.setEverything}>
          {t('lists:selection.selectEverything', { total: totalText(total, more) })}
        </UnstyledButton>
      )}
      <div className={classes.acts}>
        {acts.map((act) => (
          <Button
            key={act.key}
            size="compact-sm"
            variant="default"
            c={act.destructive ? 'var(--mantine-color-error)' : undefined}
            leftSection={<act.icon size={16} aria-hidden="true" />}
            onClick={act.onClick}
          >
            {act.label}
          </Button>
        ))}
      </div>
      <ActionIcon
        size="md"
        className={classes.clear}
        aria-label={t('lists:selection.clearSelection')}
        onClick={selection.clear}
      >
        <IconX size={16} aria-hidden="true" />
      </ActionIcon>
    </>
  );
}
