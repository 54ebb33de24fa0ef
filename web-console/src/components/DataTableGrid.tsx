import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Suspense, useRef } from 'react';
import { useDensity } from '@/lib/density';
import { useScrollEnds } from '@/lib/useScrollEnds';
import type { Column, DataTableBodyProps } from './DataTable';
import classes from './DataTable.module.css';
import { CellSkeleton, PageCheckbox, RowCheckbox } from './DataTableParts';
import { useRowCursor } from './useRowCursor';

const ROW_HEIGHT = { comfortable: 40, compact: 32 } as const;
/** From this many rows on, only those in sight are on the page. */
const VIRTUAL_FROM = 60;
const SKELETON_ROWS = 10;
const CHECKBOX_WIDTH = 44;
const COLUMN_WIDTH = 150;

/** The rows as a table. */
export function DataTableGrid<T extends object>(props: DataTableBodyProps<T>) {
  const { table, selection } = props;
  const [density] = useDensity();
  const scroller = useRef<HTMLDivElement>(null);
  const columns = table.getVisibleLeafColumns().flatMap(({ id }) => props.columns.find(({ key }) => key === id) ?? []);
  const rows = table.getRowModel().rows;
  const height = ROW_HEIGHT[density];
  const virtual = rows.length > VIRTUAL_FROM;
  const virtualizer = useVirtualizer({
    count: rows.length,
    enabled: virtual,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
    // Before it has been measured, and the header lies over the first row.
    initialRect: { width: 1000, height: 800 },
    scrollPaddingStart: 48,
  });
  useScrollEnds(scroller);
  const cursor = useRowCursor({
    ...props,
    rows,
    scroller,
    toIndex: (index) => virtual && virtualizer.scrollToIndex(index),
  });

  const shown = virtual ? virtualizer.getVirtualItems().map(({ index }) => index) : rows.map((_, index) => index);
  const before = (shown[0] ?? 0) * height;
  const after = (rows.length - 1 - (shown.at(-1) ?? rows.length - 1)) * height;
  const width = columns.reduce((sum, column) => sum + (column.width ?? COLUMN_WIDTH), selection ? CHECKBOX_WIDTH : 0);
  const span = columns.length + (selection ? 1 : 0);
  return (
    <div role="presentation" className={classes.keys} onKeyDown={cursor.onKeyDown}>
      {/* Scrolls, so it has to be reachable by keyboard. */}
      <div ref={scroller} className={classes.scroll} tabIndex={0} role="region" aria-label={props.label}>
        <table
          className={classes.table}
          style={{ minWidth: width }}
          data-density={density}
          aria-label={props.label}
          aria-rowcount={virtual ? rows.length + 1 : undefined}
        >
          <colgroup>
            {selection && <col data-no-print style={{ width: CHECKBOX_WIDTH }} />}
            {columns.map((column) => (
              <col key={column.key} style={{ width: column.width ?? COLUMN_WIDTH }} />
            ))}
          </colgroup>
          <thead inert={props.covered}>
            <tr>
              {selection && (
                <th data-no-print className={classes.choose}>
                  <PageCheckbox {...props} selection={selection} />
                </th>
              )}
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} {...props} />
              ))}
            </tr>
          </thead>
          <tbody>
            {!props.rows && skeletonRows(columns.length, selection !== undefined)}
            {/* What cells show may come with texts of its own. */}
            <Suspense fallback={skeletonRows(columns.length, selection !== undefined)}>
              {before > 0 && <Gap span={span} height={before} />}
              {shown.map((index) => {
                const row = rows[index];
                return (
                  row && (
                    <tr
                      key={row.id}
                      tabIndex={-1}
                      data-index={index}
                      data-selected={row.getIsSelected() || selection?.everything || undefined}
                      data-open={row.id === props.openKey || undefined}
                      className={props.onOpen ? classes.openable : undefined}
                      aria-rowindex={virtual ? index + 2 : undefined}
                      onClick={() => noTextChosen() && props.onOpen?.(row.original)}
                    >
                      {selection && (
                        <td data-no-print className={classes.choose} onClick={stop}>
                          <RowCheckbox row={row} name={props.rowName(row.original)} selection={selection} />
                        </td>
                      )}
                      {columns.map((column) => (
                        <Cell key={column.key} column={column} row={row.original} onOpen={props.onOpen} />
                      ))}
                    </tr>
                  )
                );
              })}
              {after > 0 && <Gap span={span} height={after} />}
            </Suspense>
          </tbody>
        </table>
      </div>
      <div className={classes.fade} aria-hidden="true" />
    </div>
  );
}

function Cell<T>({ column, row, onOpen }: { column: Column<T>; row: T; onOpen?: (row: T) => void }) {
  const content = column.cell(row);
  return (
    <td data-align={column.align} data-fixed={column.fixed || undefined} data-cut>
      {column.fixed && onOpen ? (
        // The row's own click does the work; this is how the keyboard reaches it.
        <UnstyledButton className={classes.name}>{content}</UnstyledButton>
      ) : (
        content || '–'
      )}
    </td>
  );
}

function HeaderCell<T extends object>({ column, table }: DataTableBodyProps<T> & { column: Column<T> }) {
  const tableColumn = table.getColumn(column.key);
  const sorted = tableColumn?.getIsSorted() ?? false;
  const Arrow = sorted === 'desc' ? IconArrowDown : IconArrowUp;
  const label = (
    <span className={classes.headerLabel}>
      {column.label}
      {column.unit && <span className={classes.unit}> ({column.unit})</span>}
    </span>
  );
  return (
    <th
      aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined}
      data-align={column.align}
      data-fixed={column.fixed || undefined}
      data-cut
    >
      {column.sortable ? (
        <UnstyledButton className={classes.sort} onClick={tableColumn?.getToggleSortingHandler()}>
          {label}
          <Arrow size={14} aria-hidden="true" className={classes.arrow} data-active={sorted !== false || undefined} />
        </UnstyledButton>
      ) : (
        label
      )}
    </th>
  );
}

/** The room of the rows that are not on the page. */
const Gap = ({ span, height }: { span: number; height: number }) => (
  <tr aria-hidden="true" className={classes.gap}>
    <td colSpan={span} style={{ height }} />
  </tr>
);

const skeletonRows = (columns: number, choosing: boolean) =>
  Array.from({ length: SKELETON_ROWS }, (_, row) => (
    <tr key={row}>
      {choosing && <td />}
      {Array.from({ length: columns }, (_cell, column) => (
        <td key={column}>
          <CellSkeleton wide={column === 0} />
        </td>
      ))}
    </tr>
  ));

const stop = (event: { stopPropagation: () => void }) => event.stopPropagation();

/** Who has marked text in a row wants to copy it, not to open the row. */
const noTextChosen = () => !window.getSelection()?.toString();
