import { ActionIcon, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconLayoutGrid, IconLayoutGridFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useFormats } from '@/i18n/useFormats';
import type { FilterValues, ListParams } from '@/lib/listParams';
import { selectPerson } from '@/session/sessionSlice';
import classes from './SummaryCards.module.css';

/** One number of a summary. */
interface SummaryCard {
  key: string;
  label: string;
  /** Undefined while it is on its way. */
  value: number | undefined;
  /** The filter that shows those who are counted. */
  filter?: { name: string; value: string };
}

interface SummaryCardsProps {
  label: string;
  cards: SummaryCard[];
  params: ListParams;
  onParams: (change: Partial<ListParams>) => void;
}

/** Counts of what a list shows. Those that a filter stands for narrow the list, and widen it again. */
export function SummaryCards({ label, cards, params, onParams }: SummaryCardsProps) {
  const formats = useFormats();
  return (
    <ul className={classes.cards} aria-label={label}>
      {cards.map(({ key, label: name, value, filter }) => {
        const content = (
          <>
            <span className={classes.label}>{name}</span>
            <span className={`tabular ${classes.value}`}>{value === undefined ? '–' : formats.number(value)}</span>
          </>
        );
        if (!filter) {
          return (
            <li key={key} className={classes.card}>
              {content}
            </li>
          );
        }
        const pressed = params.filters[filter.name]?.join() === filter.value;
        return (
          <li key={key}>
            <UnstyledButton
              className={classes.card}
              aria-pressed={pressed}
              onClick={() => onParams({ filters: toggleFilterValue(params.filters, filter, !pressed) })}
            >
              {content}
            </UnstyledButton>
          </li>
        );
      })}
    </ul>
  );
}

function toggleFilterValue(
  filters: FilterValues,
  { name, value }: { name: string; value: string },
  on: boolean,
): FilterValues {
  const others = Object.entries(filters).filter(([other]) => other !== name);
  return Object.fromEntries(on ? [...others, [name, [value]]] : others);
}

/** Whether a list's summary is shown, which each person chooses for themself. */
export function useSummaryShown(table: string): [boolean, (shown: boolean) => void] {
  const personId = useSelector(selectPerson)?.id ?? '';
  const [shown, setShown] = useLocalStorage<boolean>({
    key: `summary.${personId}.${table}`,
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  return [shown, setShown];
}

/** Shows and hides the summary. */
export function SummaryToggle({ shown, onChange }: { shown: boolean; onChange: (shown: boolean) => void }) {
  const { t } = useTranslation();
  const label = shown ? t('summary.hide') : t('summary.show');
  const Shape = shown ? IconLayoutGridFilled : IconLayoutGrid;
  return (
    <ActionIcon size={36} aria-label={label} title={label} onClick={() => onChange(!shown)}>
      <Shape size={18} aria-hidden="true" />
    </ActionIcon>
  );
}
