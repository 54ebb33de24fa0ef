import type { Column } from '@/components/DataTable';
import type { Filter } from '@/components/filters';
import { StatusBadge } from '@/components/StatusBadge';
import { TimeAgo } from '@/components/TimeAgo';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import type { ListDefinition } from '@/lib/listParams';
import type { VehicleState } from '@/live/vehicleState';
import { LONG_NAME } from './samples';

/** A row of the sample list. */
export interface Vehicle {
  id: string;
  name: string;
  plate: string;
  state: VehicleState;
  speed: number;
  at: string;
  status: 'active' | 'workshop';
}

/** As the server would send them. */
export const ROWS: Vehicle[] = [
  {
    id: '1',
    name: 'Truk Bandung–Priok',
    plate: 'D 9261 AE',
    state: 'moving',
    speed: 62,
    at: '2026-11-21T06:59:55Z',
    status: 'active',
  },
  {
    id: '2',
    name: LONG_NAME,
    plate: 'L 9017 UB',
    state: 'idle',
    speed: 0,
    at: '2026-11-21T06:57:00Z',
    status: 'active',
  },
  {
    id: '3',
    name: 'Bus Kota–Blok M',
    plate: 'B 7062 TGD',
    state: 'parked',
    speed: 0,
    at: '2026-11-21T05:12:00Z',
    status: 'workshop',
  },
  {
    id: '4',
    name: 'Boks Makassar',
    plate: 'DD 8709 KT',
    state: 'offline',
    speed: 0,
    at: '2026-11-19T22:00:00Z',
    status: 'active',
  },
];

/** What a row is known by. */
export const keyOf = ({ id }: Vehicle) => id;

/** Every kind of column: a name, plain text, a mark, a number with its unit, an age. */
export const COLUMNS: Column<Vehicle>[] = [
  { key: 'name', label: 'Nama', sortable: true, fixed: true, width: 260, cell: ({ name }) => name },
  { key: 'plate', label: 'Nomor polisi', width: 130, phone: 'below', cell: ({ plate }) => plate },
  {
    key: 'state',
    label: 'Keadaan',
    width: 130,
    phone: 'beside',
    cell: ({ state }) => <VehicleStateMark state={state} />,
  },
  {
    key: 'speed',
    label: 'Kecepatan',
    unit: 'km/jam',
    align: 'right',
    width: 150,
    sortable: true,
    cell: ({ speed }) => speed,
  },
  {
    key: 'status',
    label: 'Status',
    width: 130,
    cell: ({ status }) =>
      status === 'active' ? (
        <StatusBadge tone="positive">Aktif</StatusBadge>
      ) : (
        <StatusBadge tone="warning">Bengkel</StatusBadge>
      ),
  },
  { key: 'at', label: 'Terakhir', width: 130, align: 'right', cell: ({ at }) => <TimeAgo at={at} /> },
];

/** What the list can be narrowed by. */
export const FILTERS: Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'Status',
    multiple: true,
    options: [
      { value: 'active', label: 'Aktif' },
      { value: 'workshop', label: 'Bengkel' },
    ],
  },
  { kind: 'choice', name: 'icon_type', label: 'Jenis', options: [{ value: 'truck', label: 'Truk' }] },
  { kind: 'choice', name: 'brand', label: 'Merek', options: [{ value: 'hino', label: 'Hino' }] },
];

/** How the list begins. */
export const LIST: ListDefinition = { table: 'sample', sort: 'name', filters: FILTERS, columns: COLUMNS };
