import { Alert, Button } from '@mantine/core';
import {
  columnOrderingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type SortingState,
} from '@tanstack/react-table';
import { useCallback, useMemo, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '@/api/errors';
import { errorText } from '@/i18n/errorText';
import { usualColumns, type ListDefinition, type ListParams } from '@/lib/listParams';
import type { Selection } from '@/lib/selection';
import { useIsPhone } from '@/theme/breakpoints';
import { BulkBar, type BulkAct } from './BulkBar';
import classes from './DataTable.module.css';
import { DataTableCards } from './DataTableCards';
import { DataTableGrid } from './DataTableGrid';
import { DataTablePager } from './DataTablePager';
import { PageCheckbox } from './DataTableParts';
import { ErrorState } from './ErrorState';

/** A column of a table. */
export interface Column<T> {
  /** Also what the server sorts by and what the address calls it. */
  key: string;
  label: string;
  /** Stands in the header, never in the cells. */
  unit?: string;
  /** Nothing where there is nothing: a table puts a dash there, a card leaves it out. */
  cell: (row: T) => ReactNode;
  sortable?: boolean;
  align?: 'right';
  /** Comes first and cannot be hidden. */
  fixed?: boolean;
  /** Shown only when it is chosen. */
  optional?: boolean;
  /** Pixels; what is left over is shared. */
  width?: number;
  /**
   * Where it stands on a phone: it names the row, stands at the right of the first line, or in the second line. Else it is left
   * out there, but for the fixed one, which names the row where no other does.
   */
  phone?: 'title' | 'beside' | 'below';
}

/** A table whose rows, order and pages come from the server. */
export interface DataTableProps<T> {
  label: string;
  list: ListDefinition;
  columns: Column<T>[];
  rows: T[] | undefined;
  total: number;
  /** There are more than that: how many, nobody counted. */
  more?: boolean;
  /** There is another page after this one. */
  next?: boolean;
  rowKey: (row: T) => string;
  /** What a row is called, for those who hear it. */
  rowName: (row: T) => string;
  params: ListParams;
  onParams: (change: Partial<ListParams>) => void;
  onOpen?: (row: T) => void;
  /** The row that is open beside the table. */
  openKey?: string | null;
  /** Shown instead of rows. */
  empty: ReactNode;
  /** A newer page is being loaded. */
  stale?: boolean;
  error?: unknown;
  /** What could not be done, e.g. "Failed to load device list." */
  failure: string;
  onRetry: () => void;
  selection?: Selection<T>;
  /** The way to the other rows, for lists that are not counted in pages. */
  pager?: ReactNode;
  /** What can be done to the chosen rows. */
  acts?: BulkAct[];
}

const features = tableFeatures({
  columnOrderingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
});
/** What TanStack's table does here: the server sorts and pages, so it only keeps the books. */
export type Features = typeof features;

const NO_ROWS: never[] = [];

/**
 * Rows of a server-side list: sorting, paging, chosen columns, selection. `j` and `k` go from row to row, Enter opens,
 * Space and `x` choose, Escape chooses nothing.
 */
export function DataTable<T extends object>(props: DataTableProps<T>) {
  const { rows, selection, error } = props;
  const phone = useIsPhone();
  const table = useListTable(props);
  // The bar lies over the header, so that nothing jumps when it comes.
  const covered = selection !== undefined && selection.count(props.total) > 0;

  if (error && !rows) {
    return (
      <div className={classes.frame}>
        <ErrorState title={props.failure} error={error} onRetry={props.onRetry} />
      </div>
    );
  }
  if (rows?.length === 0 && props.total === 0) {
    return (
      <div className={classes.frame}>
        {error !== undefined && <LoadProblem {...props} />}
        {props.empty}
      </div>
    );
  }
  const body = phone ? DataTableCards : DataTableGrid;
  const Body = body<T>;
  return (
    <div className={classes.frame} data-long data-stale={props.stale || undefined} aria-busy={!rows || props.stale}>
      {error !== undefined && <LoadProblem {...props} />}
      <div className={classes.body}>
        {covered && props.acts && (
          <BulkBar
            acts={props.acts}
            selection={selection}
            total={props.total}
            more={props.more}
            present={rows?.length ?? 0}
          >
            <PageCheckbox table={table} rows={rows} selection={selection} />
          </BulkBar>
        )}
        <Body {...props} table={table} covered={covered} />
      </div>
      {props.pager ?? (
        <DataTablePager
          total={props.total}
          more={props.more}
          next={props.next}
          present={rows?.length ?? 0}
          params={props.params}
          phone={phone}
          onParams={props.onParams}
        />
      )}
    </div>
  );
}

/** The old rows stay; this says why they are old. */
function LoadProblem({ failure, error, onRetry }: Pick<DataTableProps<never>, 'failure' | 'error' | 'onRetry'>) {
  const { t } = useTranslation();
  const away = isApiError(error) && error.status === 0;
  return (
    <Alert color={away ? 'yellow' : 'red'} variant="light" radius={0} role="alert" className={classes.problem}>
      <span>{away ? t('table.away') : `${failure} ${errorText(error, t)}`}</span>
      <Button size="compact-sm" variant="default" onClick={onRetry}>
        {t('action.retry')}
      </Button>
    </Alert>
  );
}

/** The table of TanStack: its state is the address and the selection. */
function useListTable<T extends object>({
  list,
  columns,
  rows,
  params,
  onParams,
  rowKey,
  selection,
}: DataTableProps<T>) {
  const defs = useMemo(
    (): ColumnDef<Features, T>[] =>
      columns.map((column) => ({
        id: column.key,
        // TanStack sorts only what has an accessor; nothing is ever read through it.
        accessorFn: () => null,
        enableSorting: column.sortable ?? false,
        sortDescFirst: false,
        cell: ({ row }) => column.cell(row.original),
      })),
    [columns],
  );
  const shown = useMemo(() => visibleKeys(columns, params.columns), [columns, params.columns]);
  // Every part of the state has to stay the same object, or the table would draw itself for ever.
  const columnVisibility = useMemo(
    () => Object.fromEntries(columns.map(({ key }) => [key, shown.includes(key)])),
    [columns, shown],
  );
  const sorting = useMemo((): SortingState => [sortOf(params.sort)], [params.sort]);
  const rowSelection = useMemo(
    () => Object.fromEntries([...(selection?.rows.keys() ?? [])].map((key) => [key, true as const])),
    [selection?.rows],
  );
  const known = useRef<ReadonlyMap<string, T>>(new Map());
  const pageRows = useCallback(() => new Map((rows ?? []).map((row) => [rowKey(row), row])), [rows, rowKey]);

  return useTable<Features, T>({
    features,
    columns: defs,
    data: rows ?? NO_ROWS,
    getRowId: rowKey,
    manualSorting: true,
    enableMultiSort: false,
    enableRowSelection: selection !== undefined,
    state: {
      sorting,
      rowSelection,
      columnOrder: shown,
      columnVisibility,
    },
    onSortingChange: (updater) => {
      const [next] = typeof updater === 'function' ? updater(sorting) : updater;
      onParams({ sort: next ? `${next.desc ? '-' : ''}${next.id}` : list.sort });
    },
    onRowSelectionChange: (updater) => {
      const next = typeof updater === 'function' ? updater(rowSelection) : updater;
      known.current = new Map([...(selection?.rows ?? []), ...pageRows()]);
      const chosen = Object.keys(next).map((key) => known.current.get(key));
      selection?.set(chosen.filter((row): row is T => row !== undefined));
    },
  });
}

/** What both ways of showing the rows are given. */
export interface DataTableBodyProps<T extends object> extends DataTableProps<T> {
  table: ReturnType<typeof useListTable<T>>;
  /** The bulk bar lies over the header. */
  covered: boolean;
}

const sortOf = (sort: string) => ({ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') });

function visibleKeys<T>(columns: Column<T>[], chosen: string[]): string[] {
  const known = chosen.filter((key) => columns.some((column) => column.key === key));
  return known.length > 0 ? known : usualColumns({ table: '', sort: '', columns });
}
