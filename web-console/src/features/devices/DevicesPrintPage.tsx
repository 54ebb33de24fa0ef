import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import { useSearchParams } from 'react-router';
import { useGetTenantQuery } from '@/api/api';
import { everyEntry, type Dispatch } from '@/api/direct';
import type { Device } from '@/api/types';
import { PrintTable, type PrintColumn } from '@/components/PrintTable';
import { useFormats } from '@/i18n/useFormats';
import { readListParams, type ListParams } from '@/lib/listParams';
import { useTitle } from '@/lib/useTitle';
import { selectPerson } from '@/session/sessionSlice';
import { useDeviceDefinition } from './deviceDefinition';
import { DEVICES_URL, deviceFilter } from './deviceList';
import { useDeviceTexts } from './useDeviceTexts';

/** The devices of a filter on paper. */
export function DevicesPrintPage() {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation('common');
  useTitle(t('title'));
  const formats = useFormats();
  const [search] = useSearchParams();
  const { list, columns, filters } = useDeviceDefinition();
  const [params] = useState(() => readListParams(search, list));
  const { rows, progress, error, reload, at } = useEveryDevice(params);
  const texts = useDeviceTexts();
  const person = useSelector(selectPerson);
  const tenantId = person?.tenantId ?? params.filters.tenant_id?.[0];
  const { data: tenant } = useGetTenantQuery({ id: tenantId ?? '' }, { skip: !tenantId });

  const shown = params.columns.flatMap((key): PrintColumn<Device>[] => {
    const column = columns.find((each) => each.key === key);
    const text = texts[key];
    return column && text ? [{ key, label: column.label, unit: column.unit, align: column.align, text }] : [];
  });
  const chosen = filters.flatMap((filter) => {
    const values = params.filters[filter.name];
    if (!values || filter.kind !== 'choice') return [];
    const names = values.map((value) => filter.options.find((option) => option.value === value)?.label ?? value);
    return [{ label: filter.label, value: names.join(', ') }];
  });
  const facts = [
    { label: common('print.tenant'), value: tenant?.name ?? (person?.isPlatformOwner ? common('print.allTenants') : '') },
    { label: common('print.asOf'), value: formats.dateTime(at) },
    { label: common('print.rows'), value: formats.number(rows?.length ?? 0) },
    { label: common('print.search'), value: params.q },
    ...chosen,
  ].filter(({ value }) => value !== '');
  return (
    <PrintTable
      title={t('title')}
      facts={facts}
      columns={shown}
      rows={tenantId && !tenant ? undefined : rows}
      progress={progress}
      error={error}
      failure={t('loadFailed')}
      onRetry={reload}
    />
  );
}

/** Every device of a filter, loaded once. */
function useEveryDevice(params: ListParams) {
  const dispatch = useDispatch<Dispatch>();
  const [attempt, setAttempt] = useState(0);
  const [progress, setProgress] = useState({ loaded: 0, total: 0 });
  const [answer, setAnswer] = useState<{ rows?: Device[]; error?: unknown }>({});
  const [at] = useState(() => Date.now());
  useEffect(() => {
    const abort = new AbortController();
    const load = everyEntry<Device>(DEVICES_URL, deviceFilter(params), {
      signal: abort.signal,
      onProgress: (loaded, total) => setProgress({ loaded, total }),
    });
    void dispatch(load).then(({ data, error }) => {
      if (!abort.signal.aborted) setAnswer({ rows: data, error });
    });
    return () => abort.abort();
  }, [dispatch, params, attempt]);
  const reload = useCallback(() => {
    setAnswer({});
    setAttempt((count) => count + 1);
  }, []);
  return { ...answer, progress, reload, at };
}
