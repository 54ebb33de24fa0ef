import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { DataTable } from '@/components/DataTable';
import { EmptyState } from '@/components/EmptyState';
import { ExportMenu } from '@/components/ExportMenu';
import { FilterBar } from '@/components/FilterBar';
import { usualColumns, type ListParams } from '@/lib/listParams';
import { useSelection } from '@/lib/selection';
import classes from './ComponentsPage.module.css';
import { COLUMNS, FILTERS, LIST, ROWS, keyOf, type Vehicle } from './sampleList';

/** In which states a list can be; each has an address: `?list=…`. */
const STATES = {
  rows: { rows: ROWS },
  chosen: { rows: ROWS },
  loading: { rows: undefined },
  old: { rows: ROWS, stale: true, error: { status: 503, message: 'Basis data tidak tersedia.' } },
  error: { rows: undefined, error: { status: 503, message: 'Basis data tidak tersedia.' } },
  empty: { rows: [] },
} satisfies Record<string, { rows: Vehicle[] | undefined; stale?: boolean; error?: unknown }>;

type State = keyof typeof STATES;

const isState = (name: string | null): name is State => name !== null && name in STATES;

/** A list with its filters, columns and files, in one state after the other. */
export function Lists() {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('list');
  const state = isState(asked) ? asked : 'rows';
  return (
    <>
      <div className={classes.row}>
        {Object.keys(STATES).map((name) => (
          <Button
            key={name}
            variant="default"
            size="compact-sm"
            onClick={() => setSearch({ list: name }, { replace: true })}
          >
            {name}
          </Button>
        ))}
      </div>
      <List key={state} state={state} />
    </>
  );
}

const BEGINNING: ListParams = {
  page: 2,
  pageSize: 25,
  sort: LIST.sort,
  q: 'truk',
  filters: { status: ['active', 'workshop'], icon_type: ['truck'] },
  columns: usualColumns(LIST),
};

function List({ state }: { state: State }) {
  const [params, setParams] = useState(BEGINNING);
  const change = (part: Partial<ListParams>) => setParams((present) => ({ ...present, ...part }));
  const shown = STATES[state];
  const selection = useChosen(state === 'chosen' ? ROWS.slice(0, 2) : []);
  const common = { list: LIST, columns: COLUMNS, params, onParams: change };
  return (
    <>
      <FilterBar {...common} searchLabel="Cari nama atau pelat" filters={FILTERS}>
        <ExportMenu file={() => ({ url: '/' })} />
      </FilterBar>
      <DataTable
        {...common}
        {...shown}
        label="Kendaraan"
        total={shown.rows?.length === 0 ? 0 : 1_234}
        rowKey={keyOf}
        rowName={({ name }) => name}
        onOpen={() => undefined}
        empty={<EmptyState title="Belum ada perangkat" text="Tambahkan yang pertama dengan IMEI-nya." />}
        failure="Gagal memuat daftar perangkat."
        onRetry={() => undefined}
        selection={selection}
        acts={[{ key: 'delete', label: 'Hapus', icon: IconTrash, destructive: true, onClick: () => undefined }]}
      />
    </>
  );
}

/** A selection in which something is chosen from the beginning. */
function useChosen(rows: Vehicle[]) {
  const selection = useSelection({ keyOf, scope: '', present: ROWS });
  const [begun, setBegun] = useState(false);
  if (!begun) {
    setBegun(true);
    selection.set(rows);
  }
  return selection;
}
