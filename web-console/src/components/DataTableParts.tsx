import { Checkbox, Skeleton } from '@mantine/core';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Selection } from '@/lib/selection';
import type { DataTableBodyProps } from './DataTable';

interface RowCheckboxProps<T> {
  row: { getIsSelected: () => boolean; getToggleSelectedHandler: () => (event: MouseEvent) => void };
  name: string;
  selection: Selection<T>;
}

/** Chooses one row; with Shift, all between it and the last one. */
export function RowCheckbox<T>({ row, name, selection }: RowCheckboxProps<T>) {
  const { t } = useTranslation(['common', 'lists']);
  return (
    <Checkbox
      aria-label={t('lists:selection.selectRow', { name })}
      checked={row.getIsSelected() || selection.everything}
      // The click tells of the Shift key, the change does not.
      onClick={row.getToggleSelectedHandler()}
      onChange={ignore}
    />
  );
}

const ignore = () => undefined;

type PageCheckboxProps<T extends object> = Pick<DataTableBodyProps<T>, 'table' | 'rows'> & { selection: Selection<T> };

/** Chooses all rows of the page, or none of them. */
export function PageCheckbox<T extends object>({ table, rows, selection }: PageCheckboxProps<T>) {
  const { t } = useTranslation(['common', 'lists']);
  const present = table.getRowModel().rows;
  const chosen = present.filter((row) => row.getIsSelected() || selection.everything).length;
  return (
    <Checkbox
      aria-label={t('lists:selection.selectPage')}
      disabled={!rows || present.length === 0}
      checked={present.length > 0 && chosen === present.length}
      indeterminate={chosen > 0 && chosen < present.length}
      onChange={(event) => {
        const on = event.currentTarget.checked;
        table.setRowSelection((old) => {
          const rest = Object.entries(old).filter(([id]) => !present.some((row) => row.id === id));
          return Object.fromEntries([...rest, ...(on ? present.map(({ id }) => [id, true] as const) : [])]);
        });
      }}
    />
  );
}

/** Stands where the text of a row will be. */
export const CellSkeleton = ({ wide }: { wide: boolean }) => <Skeleton height={12} width={wide ? '60%' : '40%'} />;
