import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { AuditEntry } from '@/api/generated';
import type { Column } from '@/components/DataTable';
import type { Filter } from '@/components/filters';
import { StatusBadge } from '@/components/StatusBadge';
import { useFormats } from '@/i18n/useFormats';
import type { ListDefinition } from '@/lib/listParams';
import { EntityName } from '@/resource/names';
import { entityFilter } from '@/resource/ResourceSelect';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { ACTS, KINDS, OUTCOMES, outcomeOf } from './auditActs';
import { useAuditTexts } from './useAuditTexts';

/** The newest first. */
const SORT = '-at';

/** The audit's list: its columns, its filters, and what its address may say. */
export function useAuditDefinition() {
  const columns = useColumns();
  const filters = useFilters();
  const list = useMemo(
    // The days and the thing have controls of their own.
    (): ListDefinition => ({
      table: 'audit',
      sort: SORT,
      columns,
      filters: [...filters, { name: 'from' }, { name: 'to' }, { name: 'object_id' }],
    }),
    [columns, filters],
  );
  return { list, columns, filters };
}

function useColumns(): Column<AuditEntry>[] {
  const { t } = useTranslation('audit');
  const person = useSelector(selectPerson);
  const formats = useFormats();
  const texts = useAuditTexts();
  return useMemo(() => {
    const tenant: Column<AuditEntry> = {
      key: 'tenant_id',
      label: t('field.tenant'),
      width: 130,
      cell: ({ tenant_id }) => (tenant_id ? <EntityName of="tenants" id={tenant_id} /> : t('platform')),
    };
    return [
      {
        key: 'at',
        label: t('field.at'),
        sortable: true,
        fixed: true,
        width: 225,
        cell: ({ at }) => formats.dateTime(at),
      },
      { key: 'actor_name', label: t('field.actor'), width: 145, phone: 'below', cell: ({ actor_name }) => actor_name },
      { key: 'act', label: t('field.act'), width: 185, phone: 'below', cell: ({ act }) => texts.act(act) },
      {
        key: 'object',
        label: t('field.object'),
        width: 215,
        phone: 'below',
        cell: ({ object_kind, object_name }) => [texts.kind(object_kind), object_name].filter(Boolean).join(': '),
      },
      {
        key: 'outcome',
        label: t('field.outcome'),
        width: 105,
        phone: 'beside',
        cell: ({ act }) => <OutcomeBadge act={act} />,
      },
      {
        key: 'address',
        label: t('field.address'),
        width: 115,
        cell: ({ address }) => address && <span className="tabular">{address}</span>,
      },
      ...(can('platform_owner', person) ? [tenant] : []),
      {
        key: 'seq',
        label: t('field.seq'),
        align: 'right',
        optional: true,
        width: 110,
        cell: ({ seq }) => formats.number(seq),
      },
    ];
  }, [t, person, formats, texts]);
}

/** What came of an act, as a mark and a word. */
export function OutcomeBadge({ act }: { act: string }) {
  const { t } = useTranslation('audit');
  const outcome = outcomeOf(act);
  return <StatusBadge tone={outcome === 'done' ? 'positive' : 'negative'}>{t(`outcome.${outcome}`)}</StatusBadge>;
}

function useFilters(): Filter[] {
  const { t } = useTranslation('audit');
  const person = useSelector(selectPerson);
  const texts = useAuditTexts();
  return useMemo(() => {
    const filters: Filter[] = [
      {
        kind: 'choice',
        name: 'act',
        label: t('field.act'),
        multiple: true,
        options: [
          ...KINDS.map((kind) => ({ value: `${kind}:*`, label: t('everythingOf', { kind: texts.kind(kind) }) })),
          ...ACTS.map((value) => ({ value, label: texts.act(value) })),
        ],
      },
      {
        kind: 'choice',
        name: 'outcome',
        label: t('field.outcome'),
        options: OUTCOMES.map((value) => ({ value, label: t(`outcome.${value}`) })),
      },
      {
        kind: 'choice',
        name: 'object_kind',
        label: t('field.objectKind'),
        options: KINDS.map((value) => ({ value, label: texts.kind(value) })),
      },
    ];
    if (can('user:list', person)) {
      filters.unshift({
        name: 'actor_id',
        label: t('field.actor'),
        multiple: true,
        ...entityFilter('users'),
      });
    }
    if (can('platform_owner', person)) {
      filters.push({
        name: 'tenant_id',
        label: t('field.tenant'),
        ...entityFilter('tenants'),
      });
    }
    return filters;
  }, [t, person, texts]);
}
