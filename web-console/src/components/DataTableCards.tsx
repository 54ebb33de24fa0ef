import { UnstyledButton } from '@mantine/core';
import { Suspense, useMemo, useRef } from 'react';
import { longPress } from '@/lib/longPress';
import type { Column, DataTableBodyProps } from './DataTable';
import classes from './DataTable.module.css';
import { CellSkeleton, RowCheckbox } from './DataTableParts';
import { useRowCursor } from './useRowCursor';

const SKELETON_CARDS = 6;

const skeletonCards = Array.from({ length: SKELETON_CARDS }, (_, index) => (
  <li key={index} className={classes.card}>
    <CellSkeleton wide />
    <CellSkeleton wide={false} />
  </li>
));

/**
 * The rows on a phone: two lines each, with what matters most. A long press chooses one, and then each has a box to be chosen by;
 * before that the boxes are there for the keyboard and for those who hear the list.
 */
export function DataTableCards<T extends object>(props: DataTableBodyProps<T>) {
  const { columns, selection, table } = props;
  const list = useRef<HTMLUListElement>(null);
  const rows = table.getRowModel().rows;
  const cursor = useRowCursor({ ...props, rows, scroller: list, toIndex: () => undefined });
  const title = columns.find(({ phone }) => phone === 'title') ?? columns.find(({ fixed }) => fixed) ?? columns[0];
  const beside = columns.filter(({ phone }) => phone === 'beside');
  const below = columns.filter(({ phone }) => phone === 'below');
  const press = useMemo(() => longPress((row: { toggleSelected: () => void }) => row.toggleSelected()), []);
  return (
    <div role="presentation" className={classes.keys} onKeyDown={cursor.onKeyDown}>
      <ul ref={list} className={classes.cards} aria-label={props.label} data-choosing={props.covered || undefined}>
        {!props.rows && skeletonCards}
        {/* What cells show may come with texts of its own. */}
        <Suspense fallback={skeletonCards}>
          {rows.map((row, index) => (
            <li
              key={row.id}
              className={classes.card}
              tabIndex={-1}
              data-index={index}
              data-selected={row.getIsSelected() || selection?.everything || undefined}
              {...(selection && press(row))}
            >
              {selection && <RowCheckbox row={row} name={props.rowName(row.original)} selection={selection} />}
              <CardText {...{ title, beside, below }} row={row.original} onOpen={props.onOpen} />
            </li>
          ))}
        </Suspense>
      </ul>
    </div>
  );
}

interface CardTextProps<T> {
  title: Column<T> | undefined;
  beside: Column<T>[];
  below: Column<T>[];
  row: T;
  onOpen?: (row: T) => void;
}

function CardText<T>({ title, beside, below, row, onOpen }: CardTextProps<T>) {
  const lines = (
    <>
      <span className={classes.cardLine}>
        <span className={classes.cardTitle}>{title?.cell(row)}</span>
        {beside.map((column) => (
          <span key={column.key} className={classes.cardBeside}>
            {column.cell(row)}
          </span>
        ))}
      </span>
      <span className={classes.cardBelow}>
        {below.map((column) => {
          const content = column.cell(row);
          return content && <span key={column.key}>{content}</span>;
        })}
      </span>
    </>
  );
  return onOpen ? (
    <UnstyledButton className={classes.cardText} onClick={() => onOpen(row)}>
      {lines}
    </UnstyledButton>
  ) : (
    <div className={classes.cardText}>{lines}</div>
  );
}
