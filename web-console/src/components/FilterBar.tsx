import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconFilterPlus } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { readListParams, viewQuery, type FilterValues, type ListDefinition, type ListParams } from '@/lib/listParams';
import { useIsPhone } from '@/theme/breakpoints';
import { ColumnMenu } from './ColumnMenu';
import type { Column } from './DataTable';
import classes from './FilterBar.module.css';
import { FilterChip } from './FilterChip';
import type { Filter } from './filters';
import { SavedViews } from './SavedViews';
import { SearchInput } from './SearchInput';

interface FilterBarProps<T> {
  /** Missing where nothing can be searched for. */
  searchLabel?: string;
  list: ListDefinition;
  columns: Column<T>[];
  filters?: Filter[];
  params: ListParams;
  onParams: (change: Partial<ListParams>) => void;
  /** What narrows the list in a way of its own: its days. */
  own?: ReactNode;
  /** At the right end. */
  children?: ReactNode;
}

const NONE: Filter[] = [];

/** Search, filters, saved views and columns of a list; all of it stands in the address. */
export function FilterBar<T>({
  searchLabel,
  list,
  columns,
  filters = NONE,
  params,
  onParams,
  own,
  children,
}: FilterBarProps<T>) {
  const { t } = useTranslation(['common', 'lists']);
  const phone = useIsPhone();
  const [more, setMore] = useState(false);
  const rest = useId();
  const [added, setAdded] = useState<string | null>(null);
  const inForce = filters.filter(({ name }) => params.filters[name] || name === added);
  const others = filters.filter((filter) => !inForce.includes(filter));
  const set = (name: string, values: string[]) => {
    const others = Object.entries(params.filters).filter(([other]) => other !== name);
    const next: FilterValues = Object.fromEntries(values.length > 0 ? [...others, [name, values]] : others);
    if (values.length > 0 || params.filters[name]) onParams({ filters: next });
  };
  return (
    <div className={classes.bar}>
      {searchLabel !== undefined && (
        <div className={classes.search}>
          <SearchInput label={searchLabel} value={params.q} onChange={(q) => onParams({ q })} />
        </div>
      )}
      {inForce.map((filter) => (
        <FilterChip
          key={filter.name}
          filter={filter}
          values={params.filters[filter.name] ?? []}
          fresh={filter.name === added}
          onChange={(values) => {
            // While several are chosen one after the other the chip stays, even with none.
            setAdded(filter.name);
            set(filter.name, values);
          }}
          onClear={() => {
            setAdded(null);
            set(filter.name, []);
          }}
        />
      ))}
      {others.length > 0 && <AddFilter filters={others} onAdd={setAdded} />}
      {own}
      {inForce.length > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.clear}
          onClick={() => {
            setAdded(null);
            onParams({ filters: {}, q: '' });
          }}
        >
          {t('lists:filter.clearAll')}
        </Button>
      )}
      {phone && (
        <ActionIcon
          variant="default"
          aria-label={t('action.more')}
          aria-expanded={more}
          aria-controls={rest}
          onClick={() => setMore(!more)}
        >
          <IconDots size={18} aria-hidden="true" />
        </ActionIcon>
      )}
      <div id={rest} className={classes.right} hidden={phone && !more}>
        <SavedViews
          screen={list.table}
          query={viewQuery(params, list)}
          onShow={(query) => onParams(readListParams(new URLSearchParams(query), list))}
        />
        <ColumnMenu list={list} columns={columns} params={params} onParams={onParams} />
        {children}
      </div>
    </div>
  );
}

function AddFilter({ filters, onAdd }: { filters: Filter[]; onAdd: (name: string) => void }) {
  const { t } = useTranslation(['common', 'lists']);
  return (
    // The focus goes to the new chip, not back to this button.
    <Menu
      position="bottom-start"
      returnFocus={false}
      width={200}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button data-phone-icon variant="default" leftSection={<IconFilterPlus size={16} aria-hidden="true" />}>
          {t('lists:filter.add')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {filters.map(({ name, label }) => (
          <Menu.Item key={name} onClick={() => onAdd(name)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
