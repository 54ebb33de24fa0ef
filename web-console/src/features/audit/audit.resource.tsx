import { useSelector } from 'react-redux';
import type { AuditEntry } from '@/api/generated';
import { PeriodChooser } from '@/components/PeriodChooser';
import { findByInstant, instantKey } from '@/lib/instantKey';
import { defineResource } from '@/resource/defineResource';
import { choice, entity, instant, number, shown, text } from '@/resource/fields';
import { selectTimeZone } from '@/session/sessionSlice';
import { ACTS, KINDS, OUTCOMES } from './auditActs';
import { auditScope } from './auditScope';
import { actText, kindText, objectText } from './auditTexts';
import { AuditEntryView } from './AuditEntryView';
import { AuditToolbar } from './AuditToolbar';
import { OutcomeBadge } from './OutcomeBadge';

/** Who did what. Nothing of it can be changed. */
export default defineResource<AuditEntry>({
  key: 'audit',
  fields: {
    at: instant({ exact: true, column: { fixed: true, width: 140 } }),
    actor_name: text({ label: 'field.actor', column: { width: 145, phone: 'below' } }),
    actor_id: entity({
      of: 'users',
      label: 'field.actor',
      column: false,
      filter: { multiple: true, ability: 'user:list' },
    }),
    act: choice({
      values: [...KINDS.map((kind) => `${kind}:*`), ...ACTS],
      say: actText,
      column: { width: 185, phone: 'below' },
      filter: { multiple: true },
    }),
    object: shown<AuditEntry>({
      column: { width: 215, phone: 'below', file: ['object_kind', 'object_name'] },
      cell: objectText,
    }),
    outcome: choice({
      values: OUTCOMES,
      column: { width: 105, phone: 'beside', Cell: OutcomeBadge, file: [] },
      filter: { own: true },
    }),
    object_kind: choice({ values: KINDS, say: kindText, label: 'field.objectKind', column: false, filter: true }),
    address: text({ tabular: true, column: { width: 115 } }),
    tenant_id: entity({
      of: 'tenants',
      label: 'field.tenant',
      none: 'platform',
      ability: 'platform_owner',
      column: { width: 130 },
      filter: true,
    }),
    seq: number({ column: { optional: true, width: 110 } }),
  },
  // An entry is found by when it was.
  idOf: ({ id, at }) => instantKey(id, at),
  findBy: findByInstant,
  nameOf: ({ act }, texts) => actText(act, texts),
  // It grows with whatever anybody does.
  refetchOnVisit: true,
  // The days have a button of their own, and so has the thing.
  params: ['from', 'to', 'object_id'],
  useScope: (params) => auditScope(params, useSelector(selectTimeZone)),
  extraFileColumns: ['before', 'after', 'seq', 'hash'],
  wide: true,
  Form: AuditEntryView,
  Subtitle: OutcomeBadge,
  Toolbar: AuditToolbar,
  Filters: PeriodChooser,
});
