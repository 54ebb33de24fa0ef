import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import type { ListParams } from '@/lib/listParams';
import { usePrintData, type PrintLoader } from '@/lib/usePrintData';
import { useTitle } from '@/lib/useTitle';
import type { Column } from './DataTable';
import type { Filter } from './filters';
import { PrintTable, type PrintColumn } from './PrintTable';

/** What a printed list is made of. */
export interface PrintListData<T> {
  rows: T[];
  /** What the things are called that the filters name, by id. */
  names: ReadonlyMap<string, string>;
}

interface PrintListProps<T> {
  title: string;
  failure: string;
  params: ListParams;
  columns: Column<T>[];
  filters: Filter[];
  /** What of a row is plain text, by column. */
  texts: Partial<Record<string, (row: T) => string>>;
  /** Stays the same. */
  load: PrintLoader<PrintListData<T>>;
  /** Whose rows these are, where no filter says it. */
  tenantName?: (names: ReadonlyMap<string, string>) => string;
}

/** The rows of a list's address, printed. */
export function PrintList<T extends { id: string }>({
  title,
  failure,
  params,
  columns,
  filters,
  texts,
  load,
  tenantName,
}: PrintListProps<T>) {
  const { t } = useTranslation(['common', 'lists']);
  useTitle(title);
  const formats = useFormats();
  const { data, progress, error, reload, at } = usePrintData(load);
  const shown = params.columns.flatMap((key): PrintColumn<T>[] => {
    const column = columns.find((each) => each.key === key);
    const text = texts[key];
    return column && text ? [{ key, label: column.label, unit: column.unit, align: column.align, text }] : [];
  });
  const word = (filter: Filter, value: string) =>
    filter.kind === 'choice' ? filter.options.find((option) => option.value === value)?.label : data?.names.get(value);
  const facts = [
    { label: t('lists:print.tenant'), value: (data && tenantName?.(data.names)) ?? '' },
    { label: t('lists:print.asOf'), value: formats.dateTime(at) },
    { label: t('lists:print.rows'), value: formats.number(data?.rows.length ?? 0) },
    { label: t('lists:print.search'), value: params.q },
    ...filters.map((filter) => ({
      label: filter.label,
      value: (params.filters[filter.name] ?? []).map((value) => word(filter, value) ?? value).join(', '),
    })),
  ].filter(({ value }) => value !== '');
  return (
    <PrintTable
      title={title}
      facts={facts}
      columns={shown}
      rows={data?.rows}
      progress={progress}
      error={error}
      failure={failure}
      onRetry={reload}
    />
  );
}
