import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import { useSearchParams } from 'react-router';
import { useGetTenantQuery } from '@/api/api';
import type { DirectResult, Dispatch } from '@/api/direct';
import type { AuditEntry } from '@/api/generated';
import { EmptyState } from '@/components/EmptyState';
import type { Filter } from '@/components/filters';
import { PrintAccess } from '@/components/PrintAccess';
import { PrintTable, type PrintColumn } from '@/components/PrintTable';
import { dayBegins } from '@/i18n/timeZone';
import { useFormats } from '@/i18n/useFormats';
import { readListParams, type ListParams } from '@/lib/listParams';
import { useTitle } from '@/lib/useTitle';
import { selectPerson, selectTimeZone } from '@/session/sessionSlice';
import { outcomeOf } from './auditActs';
import { useAuditDefinition } from './auditDefinition';
import { PRINT_MAX_ROWS, loadAuditPrint, type AuditPrintData } from './auditPrint';
import { useAuditTexts } from './useAuditTexts';

const NO_DATA: AuditPrintData = { entries: [], users: new Map(), tenants: new Map(), total: 0 };

/** The entries of a filter to be printed, for those who may export them. */
export function AuditPrintPage() {
  const { t } = useTranslation('audit');
  return (
    <PrintAccess module="audit" noAccess={t('noAccess')}>
      <AuditPrintList />
    </PrintAccess>
  );
}

function AuditPrintList() {
  const { t } = useTranslation('audit');
  const { t: common } = useTranslation(['common', 'lists']);
  useTitle(t('title'));
  const formats = useFormats();
  const timeZone = useSelector(selectTimeZone);
  const [search] = useSearchParams();
  const { list, columns, filters } = useAuditDefinition();
  const [params] = useState(() => readListParams(search, list));
  const { data, progress, error, reload, at } = useAuditPrintData(params);
  const names = data ?? NO_DATA;
  const texts = useTexts(names);
  const tenantName = usePrintedTenantName(names, params);

  if (data && data.total > PRINT_MAX_ROWS) {
    const words = { total: formats.number(data.total), most: formats.number(PRINT_MAX_ROWS) };
    return <EmptyState wholePage title={t('print.tooManyTitle')} text={t('print.tooManyText', words)} />;
  }
  const shown = params.columns.flatMap((key): PrintColumn<AuditEntry>[] => {
    const column = columns.find((each) => each.key === key);
    const text = texts[key];
    return column && text ? [{ key, label: column.label, align: column.align, text }] : [];
  });
  const day = (name: string) => {
    const value = params.filters[name]?.[0];
    const begins = value && dayBegins(value, timeZone);
    return begins ? formats.date(begins.getTime()) : '';
  };
  const facts = [
    { label: common('lists:print.tenant'), value: tenantName ?? '' },
    { label: common('lists:print.asOf'), value: formats.dateTime(at) },
    { label: common('lists:print.rows'), value: formats.number(names.entries.length) },
    { label: common('lists:print.search'), value: params.q },
    { label: t('period.from'), value: day('from') },
    { label: t('period.to'), value: day('to') },
    ...filters.filter(({ name }) => name !== 'tenant_id').map((filter) => filterFact(filter, params, names)),
  ].filter(({ value }) => value !== '');
  return (
    <PrintTable
      title={t('title')}
      facts={facts}
      columns={shown}
      rows={tenantName === undefined ? undefined : data?.entries}
      progress={progress}
      error={error}
      failure={t('loadFailed')}
      onRetry={reload}
    />
  );
}

/** What of an entry is plain text, by column. */
function useTexts({ tenants }: AuditPrintData): Partial<Record<string, (entry: AuditEntry) => string>> {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const texts = useAuditTexts();
  return {
    at: ({ at }) => formats.dateTime(at),
    actor_name: ({ actor_name }) => actor_name,
    act: ({ act }) => texts.act(act),
    object: ({ object_kind, object_name }) => [texts.kind(object_kind), object_name].filter(Boolean).join(': '),
    outcome: ({ act }) => t(`outcome.${outcomeOf(act)}`),
    address: ({ address }) => address,
    tenant_id: ({ tenant_id }) => (tenant_id ? (tenants.get(tenant_id) ?? tenant_id) : t('platform')),
    seq: ({ seq }) => formats.number(seq),
  };
}

/** What a filter says, in words. */
function filterFact(filter: Filter, params: ListParams, { users }: AuditPrintData) {
  const word = (value: string) =>
    filter.kind === 'choice' ? filter.options.find((option) => option.value === value)?.label : users.get(value);
  const values = params.filters[filter.name] ?? [];
  return { label: filter.label, value: values.map((value) => word(value) ?? value).join(', ') };
}

/** Whose entries these are; undefined until that is known. */
function usePrintedTenantName({ tenants }: AuditPrintData, params: ListParams): string | undefined {
  const { t } = useTranslation(['common', 'lists']);
  const ownId = useSelector(selectPerson)?.tenantId;
  const own = useGetTenantQuery({ id: ownId ?? '' }, { skip: !ownId });
  if (ownId) return own.isError ? '' : own.data?.name;
  const chosenId = params.filters.tenant_id?.[0];
  return chosenId ? (tenants.get(chosenId) ?? chosenId) : t('lists:print.allTenants');
}

/** What is printed, loaded once. */
function useAuditPrintData(params: ListParams) {
  const dispatch = useDispatch<Dispatch>();
  const timeZone = useSelector(selectTimeZone);
  const [attempt, setAttempt] = useState(0);
  const [progress, setProgress] = useState({ loaded: 0, total: 0 });
  const [answer, setAnswer] = useState<DirectResult<AuditPrintData>>({});
  const [at] = useState(() => Date.now());
  useEffect(() => {
    const abort = new AbortController();
    const load = loadAuditPrint(params, timeZone, {
      at,
      signal: abort.signal,
      onProgress: (loaded, total) => setProgress({ loaded, total }),
    });
    void dispatch(load).then((arrived) => {
      if (!abort.signal.aborted) setAnswer(arrived);
    });
    return () => abort.abort();
  }, [dispatch, params, timeZone, at, attempt]);
  const reload = useCallback(() => {
    setAnswer({});
    setAttempt((count) => count + 1);
  }, []);
  return { ...answer, progress, reload, at };
}
