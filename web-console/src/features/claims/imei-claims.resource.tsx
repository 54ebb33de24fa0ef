import type { ImeiClaim } from '@/api/types';
import { EntityName } from '@/resource/names';
import { defineResource } from '@/resource/defineResource';
import { choice, entity, instant, shown, text } from '@/resource/fields';
import { ClaimDetails } from './ClaimDetails';
import { ClaimTabs } from './ClaimTabs';

/** Who says that a tracker is theirs; platform owners decide. */
export default defineResource<ImeiClaim>({
  key: 'imei-claims',
  fields: {
    imei: text({ tabular: true, column: { fixed: true, width: 160 } }),
    status: choice({
      values: ['waiting', 'approved', 'rejected'],
      tones: { waiting: 'warning', approved: 'positive', rejected: 'negative' },
      column: { width: 130, phone: 'beside' },
      filter: true,
    }),
    tenant_id: entity({ of: 'tenants', column: { width: 180, phone: 'below' }, filter: true }),
    device_name: text({ column: { width: 180, phone: 'below' } }),
    holder: shown<ImeiClaim>({
      column: { width: 170 },
      cell: ({ holder }) => holder && <EntityName of="tenants" id={holder.tenant_id} />,
    }),
    gateways: shown<ImeiClaim>({ column: { width: 140 }, cell: ({ heard }) => heard?.gateways.join(', ') }),
    claimed_at: instant({ column: { width: 140 } }),
    decided_at: instant({ column: { optional: true, width: 140 } }),
  },
  nameOf: ({ imei }) => imei,
  noCreate: true,
  Toolbar: ClaimTabs,
  Instead: { when: () => true, Part: ClaimDetails },
});
