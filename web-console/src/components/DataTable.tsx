import { Group, Pagination, Select, Skeleton, Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PAGE_SIZES, type ListParams } from '@/lib/listParams';
import { useFormats } from '@/i18n/useFormats';
import classes from './DataTable.module.css';

/** A column of a table. */
export interface Column<T> {
  key: string;
  label: string;
  cell: (row: T) => ReactNode;
  /** The server sorts by the column's key. */
  sortable?: boolean;
  align?: 'right';
  /** Left out on narrow screens. */
  wideOnly?: boolean;
}

/** A table whose rows, order and pages come from the server. */
export interface DataTableProps<T> {
  label: string;
  columns: Column<T>[];
  rows: T[] | undefined;
  total: number;
  rowKey: (row: T) => string;
  params: ListParams;
  onParams: (change: Partial<ListParams>) => void;
  onOpen?: (row: T) => void;
  /** Shown instead of rows. */
  empty: ReactNode;
  /** A newer page is being loaded. */
  stale?: boolean;
}

const SKELETON_ROWS = 8;

/** Rows of a server-side list with sorting and paging; a row opens with a click, its first cell is the button for it. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { columns, rows, params, onParams } = props;
  if (rows?.length === 0) return <div className={classes.frame}>{props.empty}</div>;
  return (
    <div className={classes.frame} data-stale={props.stale || undefined} aria-busy={!rows || props.stale}>
      {/* Scrolls sideways on narrow screens, so it has to be reachable by keyboard. */}
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={props.label}>
        <Table stickyHeader borderColor="var(--armada-border)" className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} params={params} onParams={onParams} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows
              ? rows.map((row) => <Row key={props.rowKey(row)} row={row} columns={columns} onOpen={props.onOpen} />)
              : skeletonRows(columns.length)}
          </Table.Tbody>
        </Table>
      </div>
      <Pager total={props.total} params={params} onParams={onParams} />
    </div>
  );
}

function HeaderCell<T>({
  column,
  params,
  onParams,
}: { column: Column<T> } & Pick<DataTableProps<T>, 'params' | 'onParams'>) {
  const ascending = params.sort === column.key;
  const descending = params.sort === `-${column.key}`;
  const Arrow = descending ? IconArrowDown : IconArrowUp;
  return (
    <Table.Th
      aria-sort={ascending ? 'ascending' : descending ? 'descending' : undefined}
      className={column.wideOnly ? classes.wideOnly : undefined}
      data-align={column.align}
    >
      {column.sortable ? (
        <UnstyledButton
          className={classes.sort}
          onClick={() => onParams({ sort: ascending ? `-${column.key}` : column.key })}
        >
          {column.label}
          <Arrow
            size={14}
            aria-hidden="true"
            className={classes.arrow}
            data-active={ascending || descending || undefined}
          />
        </UnstyledButton>
      ) : (
        column.label
      )}
    </Table.Th>
  );
}

function Row<T>({ row, columns, onOpen }: { row: T; columns: Column<T>[]; onOpen?: (row: T) => void }) {
  return (
    <Table.Tr className={onOpen ? classes.openable : undefined} onClick={onOpen && (() => onOpen(row))}>
      {columns.map((column, index) => (
        <Table.Td
          key={column.key}
          className={column.wideOnly ? classes.wideOnly : undefined}
          data-align={column.align}
        >
          {index === 0 && onOpen ? (
            // The row's own click does the work; this is how the keyboard reaches it.
            <UnstyledButton className={classes.name}>{column.cell(row)}</UnstyledButton>
          ) : (
            column.cell(row)
          )}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function skeletonRows(columns: number): ReactNode {
  return Array.from({ length: SKELETON_ROWS }, (_, row) => (
    <Table.Tr key={row}>
      {Array.from({ length: columns }, (_cell, column) => (
        <Table.Td key={column}>
          <Skeleton height={12} width={column === 0 ? '60%' : '40%'} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}

function Pager({ total, params, onParams }: { total: number } & Pick<DataTableProps<never>, 'params' | 'onParams'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  const from = total === 0 ? 0 : (params.page - 1) * params.pageSize + 1;
  const to = Math.min(total, params.page * params.pageSize);
  return (
    <Group justify="space-between" className={classes.pager} gap="sm">
      <Text size="sm" c="dimmed" className="tabular">
        {t('table.range', { from: formats.number(from), to: formats.number(to), total: formats.number(total) })}
      </Text>
      <Group gap="sm">
        <Select
          aria-label={t('table.pageSize')}
          w={84}
          size="sm"
          allowDeselect={false}
          data={PAGE_SIZES.map(String)}
          value={String(params.pageSize)}
          onChange={(value) => onParams({ pageSize: Number(value), page: 1 })}
        />
        <Pagination
          size="sm"
          siblings={0}
          total={Math.max(1, Math.ceil(total / params.pageSize))}
          value={params.page}
          onChange={(page) => onParams({ page })}
        />
      </Group>
    </Group>
  );
}
