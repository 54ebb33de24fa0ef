import type { TenantGateway } from '@/api/types';
import { DeleteAction } from '@/resource/DeleteAction';
import { defineResource, type Resource } from '@/resource/defineResource';
import { entity, instant, shown, text } from '@/resource/fields';
import { ClaimTabs } from './ClaimTabs';

/** Gateways whose trackers all belong to one tenant; for platform owners. */
const gateways: Resource<TenantGateway> = defineResource<TenantGateway>({
  key: 'gateways',
  sort: 'name',
  fields: {
    name: text({
      column: { sortable: true, fixed: true, width: 200, Cell: ({ row }) => <code>{row.name}</code> },
      form: { required: true, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$', first: true },
    }),
    tenant_id: entity({
      of: 'tenants',
      column: { width: 220, phone: 'below' },
      filter: true,
      form: { required: true },
    }),
    created_at: instant({ column: { sortable: true, width: 150 } }),
    remove: shown<TenantGateway>({
      column: { width: 140, phone: 'beside' },
      cell: (row) => <DeleteAction resource={gateways} row={row} inRow />,
    }),
  },
  idOf: ({ name }) => name,
  closed: true,
  Toolbar: ClaimTabs,
});

export default gateways;
