import { ActionIcon, Button, Checkbox, Group, Popover, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useDensity, type Density } from '@/lib/density';
import { usualColumns, type ListDefinition, type ListParams } from '@/lib/listParams';
import { useIsPhone } from '@/theme/breakpoints';
import classes from './ColumnMenu.module.css';
import type { Column } from './DataTable';

interface ColumnMenuProps<T> {
  list: ListDefinition;
  columns: Column<T>[];
  params: ListParams;
  onParams: (change: Partial<ListParams>) => void;
}

/** Which columns are shown in which order, and how close the rows are; on phones, the order of the rows. */
export function ColumnMenu<T>(props: ColumnMenuProps<T>) {
  const { t } = useTranslation(['common', 'lists']);
  const phone = useIsPhone();
  // On a phone there is nothing else to choose.
  if (phone && !props.columns.some(({ sortable }) => sortable)) return null;
  const label = phone ? t('lists:columns.order') : t('lists:columns.columns');
  return (
    <Popover position="bottom-end" width={300} shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <ActionIcon size={36} aria-label={label} title={label}>
          <IconColumns3 size={18} aria-hidden="true" />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        {phone ? <SortChoice {...props} /> : <Columns {...props} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function Columns<T>({ list, columns, params, onParams }: ColumnMenuProps<T>) {
  const { t } = useTranslation(['common', 'lists']);
  const [density, setDensity] = useDensity();
  const shown = params.columns;
  const ordered = [
    ...shown.flatMap((key) => columns.find((column) => column.key === key) ?? []),
    ...columns.filter(({ key }) => !shown.includes(key)),
  ];
  const set = (keys: string[]) => onParams({ columns: keys });
  const move = (key: string, by: -1 | 1) => {
    const next = shown.filter((each) => each !== key);
    next.splice(shown.indexOf(key) + by, 0, key);
    set(next);
  };
  const fixed = columns.filter((column) => column.fixed).length;
  return (
    <Stack gap="sm">
      <SegmentedControl
        fullWidth
        aria-label={t('lists:columns.density')}
        value={density}
        onChange={(value) => setDensity(value as Density)}
        data={[
          { value: 'comfortable', label: t('lists:columns.comfortable') },
          { value: 'compact', label: t('lists:columns.compact') },
        ]}
      />
      <ul className={classes.columns} aria-label={t('lists:columns.columns')}>
        {ordered.map((column) => {
          const place = shown.indexOf(column.key);
          return (
            <li key={column.key} className={classes.column}>
              <Checkbox
                label={column.label}
                checked={place >= 0}
                disabled={column.fixed}
                onChange={(event) =>
                  set(event.currentTarget.checked ? [...shown, column.key] : shown.filter((key) => key !== column.key))
                }
              />
              {place >= 0 && !column.fixed && (
                <Group gap="3xs" wrap="nowrap">
                  <ActionIcon
                    size="sm"
                    aria-label={t('lists:columns.moveUp', { name: column.label })}
                    disabled={place <= fixed}
                    onClick={() => move(column.key, -1)}
                  >
                    <IconArrowUp size={14} aria-hidden="true" />
                  </ActionIcon>
                  <ActionIcon
                    size="sm"
                    aria-label={t('lists:columns.moveDown', { name: column.label })}
                    disabled={place === shown.length - 1}
                    onClick={() => move(column.key, 1)}
                  >
                    <IconArrowDown size={14} aria-hidden="true" />
                  </ActionIcon>
                </Group>
              )}
            </li>
          );
        })}
      </ul>
      <Button variant="default" size="compact-sm" onClick={() => set(usualColumns(list))}>
        {t('lists:columns.resetColumns')}
      </Button>
    </Stack>
  );
}

/** Cards have no header to sort by. */
function SortChoice<T>({ columns, params, onParams }: ColumnMenuProps<T>) {
  const { t } = useTranslation(['common', 'lists']);
  const descending = params.sort.startsWith('-');
  const key = params.sort.replace(/^-/, '');
  return (
    <Stack gap="sm">
      <Text size="sm" fw={500}>
        {t('lists:columns.order')}
      </Text>
      <Select
        aria-label={t('lists:columns.order')}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        data={columns.filter(({ sortable }) => sortable).map((column) => ({ value: column.key, label: column.label }))}
        value={key}
        onChange={(value) => onParams({ sort: `${descending ? '-' : ''}${value ?? key}` })}
      />
      <SegmentedControl
        fullWidth
        aria-label={t('lists:columns.direction')}
        value={descending ? 'down' : 'up'}
        onChange={(value) => onParams({ sort: value === 'down' ? `-${key}` : key })}
        data={[
          { value: 'up', label: t('lists:columns.ascending') },
          { value: 'down', label: t('lists:columns.descending') },
        ]}
      />
    </Stack>
  );
}
